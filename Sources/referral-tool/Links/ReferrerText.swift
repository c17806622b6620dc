/// The white space around a referrer isn't a part of it, as in the builder: cells that look alike name the same referrer.
enum ReferrerText {
    static let note: Sentence = "white space around a referrer isn't a part of it"

    /// A referrer without the white space around it, as JavaScript's `trim` removes it.
    static func trimmed(_ text: Bytes) -> Bytes {
        // Most referrers begin and end with a letter.
        guard let first = text.first, let last = text.last, !isVisible(first) || !isVisible(last) else { return text }
        let scalars = text.string.unicodeScalars
        let rest = scalars.drop(while: isWhiteSpace)
        let start = text.count - Substring(rest).utf8.count
        let ending = rest.reversed().prefix(while: isWhiteSpace).reduce(0) { $0 + UTF8.width($1) }
        return text.part(start..<text.count - ending)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { 0x21..<0x7F ~= byte }

    private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != "\u{85}" || scalar == "\u{FEFF}"
    }
}
