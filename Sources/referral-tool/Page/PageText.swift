/// The sentences of a page in one language.
struct PageText {
    /// The language: a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`.
    let tag: String
    /// The writing direction of the language, `ltr` or `rtl`.
    let direction: String
    /// All of them if the language is translated. Options add others.
    var sentences: [PageSentence: String]

    static let english = PageText(tag: "en", direction: "ltr", sentences: PageSentence.translations["en"] ?? [:])

    private init(tag: String, direction: String, sentences: [PageSentence: String]) {
        (self.tag, self.direction, self.sentences) = (tag, direction, sentences)
    }

    /// `nil` for a text that isn't a tag.
    @Sendable init?(_ tag: String) {
        let subtags = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let isWellFormed = subtags.allSatisfy { subtag in
            1...8 ~= subtag.utf8.count
                && subtag.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789".utf8.contains($0) }
        }
        guard isWellFormed, 2...3 ~= subtags[0].utf8.count, !subtags[0].contains(where: \.isNumber) else { return nil }
        let isLanguageRightToLeft = Self.rightToLeftLanguages.contains(subtags[0])
        // A script in the tag takes precedence over the language, and one with the other direction needs other sentences.
        let script = subtags.dropFirst().first { $0.utf8.count == 4 && !$0.contains(where: \.isNumber) }
        let isRightToLeft = script.map(Self.rightToLeftScripts.contains) ?? isLanguageRightToLeft
        let isTraditional = subtags[0] == "zh" && ["hant", "tw", "hk", "mo"].contains(where: subtags.contains)
        let translation = PageSentence.translations[isTraditional ? "zh-Hant" : subtags[0]] ?? [:]
        self.init(
            tag: tag,
            direction: isRightToLeft ? "rtl" : "ltr",
            sentences: isRightToLeft == isLanguageRightToLeft ? translation : [:]
        )
    }

    private static let rightToLeftScripts: Set = [
        "adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa",
    ]

    private static let rightToLeftLanguages: Set = [
        "ar", "arc", "azb", "bal", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "lrc", "mzn", "nqo", "pnb", "prs", "ps",
        "sd", "skr", "syr", "ug", "ur", "yi",
    ]
}
