/// A part of a template or a sample that wasn't replaced, such as `{{ campaign }}` or `YOUR_CAMPAIGN`.
enum Placeholder {
    private static let delimiters: [(opening: String, closing: String)] = [
        ("{{", "}}"), ("{%", "%}"), ("${", "}"), ("#{", "}"), ("<%", "%>"), ("<?", "?>"), ("[[", "]]"), ("*|", "|*"),
        ("%%", "%%"), ("$(", ")"), ("[object", "]"),
    ]

    /// Values that a script writes in place of a missing one, and the samples in Apple's documentation of banners.
    private static let missing: Set<String> = [
        "undefined", "null", "NaN", "myAppStoreID", "appClipBundleID", "myURL",
    ]

    /// The words of sample values. Nobody chooses two of them in capitals as a name.
    private static let words: Set<String> = [
        "affiliate", "app", "campaign", "channel", "code", "example", "here", "id", "my", "name", "newsletter",
        "partner",
        "provider", "referral", "referrer", "source", "text", "token", "user", "username", "value", "your",
    ]

    /// The first placeholder in a value, of one of the usual forms.
    ///
    /// `{campaign}`, `%CAMPAIGN%` and `<campaign>` are placeholders only as a whole value: in other text, these characters are
    /// common.
    static func first(in value: String) -> String? {
        let bytes = Array(value.utf8)
        for (opening, closing) in delimiters {
            guard let start = bytes.range(of: opening) else { continue }
            guard let end = bytes.range(of: closing, from: start.upperBound) else { continue }
            return String(decoding: bytes[start.lowerBound..<end.upperBound], as: UTF8.self)
        }
        if missing.contains(value) || isSample(value) { return value }
        guard bytes.count > 4, let last = bytes.last else { return nil }
        let name = bytes.dropFirst().dropLast()
        let isName =
            name.first.map(ASCII.isLetter) == true
            && name.allSatisfy { ASCII.isAlphanumeric($0) || "-_.".utf8.contains($0) }
        let isWhole =
            bytes[0] == ASCII.openBrace && last == ASCII.closeBrace
            || bytes[0] == ASCII.percent && last == ASCII.percent
            || bytes[0] == UInt8(ascii: "<") && last == UInt8(ascii: ">")
        return isName && isWhole ? value : nil
    }

    /// Whether digits are a sample: they begin with 0, are at least six of the same digit, or are in order, as in 123456789.
    static func isSampleNumber(_ digits: String) -> Bool {
        let steps: Set<UInt8> = Set(zip(digits.utf8, digits.utf8.dropFirst()).map { ($1 &+ 10 &- $0) % 10 })
        return digits.hasPrefix("0") || digits.utf8.count >= 6 && ([[0], [1], [9]].contains(steps))
    }

    /// Whether a value is `YOUR_` and a word, or consists of sample words in capitals or after `your`.
    private static func isSample(_ value: String) -> Bool {
        let words = value.asciiLowercased.utf8.split { $0 == ASCII.dash || $0 == UInt8(ascii: "_") }
            .map { String(Substring($0)) }
        guard words.count > 1 else { return false }
        let isInCapitals = !value.utf8.contains { ASCII.isLetter($0) && $0 == ASCII.lowercased($0) }
        let isYours = words[0] == "your"
        return isInCapitals && isYours || (isInCapitals || isYours) && words.allSatisfy(Self.words.contains)
    }
}
