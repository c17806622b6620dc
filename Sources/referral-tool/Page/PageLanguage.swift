/// The language of a page: a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`.
struct PageLanguage: Equatable {
    static let english = PageLanguage(tag: "en", subtags: ["en"])

    let tag: String

    private let subtags: [String]

    private init(tag: String, subtags: [String]) {
        self.tag = tag
        self.subtags = subtags
    }

    @Sendable init?(_ tag: String) {
        let subtags = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let isWellFormed = subtags.allSatisfy { subtag in
            1...8 ~= subtag.utf8.count
                && subtag.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789".utf8.contains($0) }
        }
        guard isWellFormed, 2...3 ~= subtags[0].utf8.count, !subtags[0].contains(where: \.isNumber) else { return nil }
        self.init(tag: tag, subtags: subtags)
    }

    /// The writing direction of the language, `ltr` or `rtl`.
    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    /// Whether the language is written from right to left. A script in the tag takes precedence over the language.
    private var isRightToLeft: Bool {
        let script = subtags.dropFirst().first { $0.utf8.count == 4 && !$0.contains(where: \.isNumber) }
        return script.map(Self.rightToLeftScripts.contains) ?? Self.rightToLeftLanguages.contains(subtags[0])
    }

    /// The translated sentences, if the page has this language.
    var sentences: [PageSentence: String]? {
        // A script with the other direction needs other sentences.
        guard isRightToLeft == Self.rightToLeftLanguages.contains(subtags[0]) else { return nil }
        let isTraditional = ["hant", "tw", "hk", "mo"].contains(where: subtags.contains)
        return PageSentence.translations[subtags[0] == "zh" && isTraditional ? "zh-Hant" : subtags[0]]
    }

    private static let rightToLeftScripts: Set = [
        "adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa",
    ]

    private static let rightToLeftLanguages: Set = [
        "ar", "arc", "azb", "bal", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "lrc", "mzn", "nqo", "pnb", "prs", "ps",
        "sd", "skr", "syr", "ug", "ur", "yi",
    ]
}
