import ReferralBridge

/// A part of a template that wasn't replaced, such as `{{ campaign }}`.
enum Placeholder {
    private static let delimiters = [
        ("{{", "}}"), ("{%", "%}"), ("${", "}"), ("#{", "}"), ("<%", "%>"), ("<?", "?>"), ("[[", "]]"), ("*|", "|*"),
        ("%%", "%%"),
    ]
    .map { (Array($0.utf8), Array($1.utf8)) }

    /// The first placeholder in a value, of one of the usual forms.
    ///
    /// `{campaign}` and `%CAMPAIGN%` are placeholders only as a whole value: in other text, these characters are common.
    static func first(in value: String) -> String? {
        let bytes = Array(value.utf8)
        for (opening, closing) in delimiters {
            guard let start = bytes.position(of: opening, from: 0) else { continue }
            guard let end = bytes.position(of: closing, from: start + opening.count) else { continue }
            return String(decoding: bytes[start..<(end + closing.count)], as: UTF8.self)
        }
        guard bytes.count > 4, let last = bytes.last else { return nil }
        let name = bytes.dropFirst().dropLast()
        let isName =
            name.first?.isLetter == true
            && name.allSatisfy { $0.isLetter || ASCII.isDigit($0) || "-_.".utf8.contains($0) }
        let isWhole =
            bytes[0] == ASCII.openBrace && last == ASCII.closeBrace
            || bytes[0] == ASCII.percent && last == ASCII.percent
        return isName && isWhole ? value : nil
    }
}
