import ReferralFoundation
import WebFiles

/// The sentences of a page in one language. `{name}` is the app's name, and `{contents}` are the contents of the copied link.
struct PageText {
    /// The parts of a page that have a sentence, as the help of `--text` describes them.
    static let parts = [
        "button", "note", "signature", "plain", "copied", "failed", "play", "playNote", "invited", "enter", "kept",
        "counted", "countedName", "phone", "scan", "local", "code", "tagline", "language",
    ]

    /// The languages of the translations.
    static var languages: [String] { translations.keys.sorted() }

    /// The sentences in each language by their parts, from `web/landing-sentences.json`.
    private static let translations: [String: [String: String]] = {
        let file = Data(String(cString: WebFiles.landing_sentences_json).utf8)
        return (try? JSONDecoder().decode([String: [String: String]].self, from: file)) ?? [:]
    }()

    /// The language: a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`.
    let tag: String
    /// The writing direction of the language, `ltr` or `rtl`.
    let direction: String
    /// All of them if the language is translated, by their parts. Options add others.
    var sentences: [String: String]

    /// `nil` for a text that isn't a tag.
    @Sendable init?(_ tag: String) {
        guard tag.hasForm("[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*") else { return nil }
        let subtags = tag.lowercased().split(separator: "-").map(String.init)
        let isUsuallyRightToLeft = Self.rightToLeftLanguages.contains(subtags[0])
        // A script in the tag takes precedence over the language, and one with the other direction needs other sentences.
        let script = subtags.dropFirst().first { $0.hasForm("[a-z]{4}") }
        let isRightToLeft = script.map(Self.rightToLeftScripts.contains) ?? isUsuallyRightToLeft
        let isTraditional = subtags[0] == "zh" && ["hant", "tw", "hk", "mo"].contains(where: subtags.contains)
        let translation = Self.translations[isTraditional ? "zh-Hant" : subtags[0]] ?? [:]
        self.tag = tag
        direction = isRightToLeft ? "rtl" : "ltr"
        sentences = isRightToLeft == isUsuallyRightToLeft ? translation : [:]
    }

    private static let rightToLeftScripts: Set = [
        "adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa",
    ]

    private static let rightToLeftLanguages: Set = [
        "ar", "arc", "azb", "bal", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "lrc", "mzn", "nqo", "pnb", "prs", "ps",
        "sd", "skr", "syr", "ug", "ur", "yi",
    ]
}

/// A template with placeholders: `{name}` is replaced with a value, and the text between `{#name}` and `{/name}` is kept only
/// if there is a value. Other braces are unchanged.
enum PageTemplate {
    /// The content of a style or a script, which begins on a line of its own: the text of files that are part of the command.
    static func content(_ files: [UnsafePointer<UInt8>]) -> String { "\n" + files.map(String.init(cString:)).joined() }

    /// Fills in a template with values in HTML. A brace in a value has no meaning.
    static func fill(_ template: String, _ values: [String: String?]) -> String {
        var filled = ""
        var rest = template.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            filled.unicodeScalars += rest[..<open]
            rest = rest[open...]
            let name = String(rest.dropFirst().prefix { $0 != "}" && $0 != "{" })
            let placeholder = rest.dropFirst(name.unicodeScalars.count + 1)
            let isSection = name.hasPrefix("#") || name.hasPrefix("/")
            guard placeholder.first == "}", let value = values[isSection ? String(name.dropFirst()) : name] else {
                filled.unicodeScalars.append(rest.removeFirst())
                continue
            }
            rest = placeholder.dropFirst()
            if !isSection {
                filled += value ?? ""
            } else if name.hasPrefix("#"), value == nil {
                let end = rest.firstRange(of: "{/\(name.dropFirst())}".unicodeScalars)?.upperBound ?? rest.endIndex
                rest = rest[end...]
            }
        }
        filled.unicodeScalars += rest
        return filled
    }
}
