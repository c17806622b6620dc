/// Finds the addresses in a text, such as one from a chat, with words, brackets or quotation marks around them.
///
/// An address begins with a scheme and `://`. It ends before the first character that isn't allowed in an address (RFC 3986), such
/// as white space, or a letter that isn't ASCII. Square brackets end it too, since Markdown writes them beside an address.
/// Punctuation at its end belongs to the text, and so does a parenthesis that isn't opened in the address.
package struct AddressSearch: Sequence, IteratorProtocol {
    private let text: Bytes
    private var position = 0

    /// Creates a search in the bytes of a text, which are valid only as long as their owner keeps them.
    package init(_ text: Bytes) { self.text = text }

    /// The range of the next address.
    package mutating func next() -> Range<Int>? {
        while let colon = nextColon() {
            position = colon + 1
            guard text[position...].starts(with: ("//" as StaticString).utf8) else { continue }
            position = text[position...].firstIndex { !Self.isAllowed($0) } ?? text.endIndex
            var start = colon
            while start > 0, Self.isInScheme(text[start - 1]) { start -= 1 }
            while start < colon, !ASCII.isLetter(text[start]) { start += 1 }
            guard start < colon else { continue }
            let end = endWithoutPunctuation(of: start..<position)
            // After the colon and both slashes.
            if end > colon + 3 { return start..<end }
        }
        return nil
    }

    private func nextColon() -> Int? {
        var start = position
        // A loop without an early exit checks many bytes at once.
        while start + 64 <= text.count, !text[start..<(start + 64)].reduce(false, { $0 || $1 == ASCII.colon }) {
            start += 64
        }
        return text[start...].firstIndex(of: ASCII.colon)
    }

    private func endWithoutPunctuation(of range: Range<Int>) -> Int {
        let isClosed = text[range].contains(UInt8(ascii: "("))
        let punctuation: StaticString = isClosed ? ".,;:!?'*" : ".,;:!?'*)"
        return (text[range].lastIndex { !punctuation.utf8.contains($0) } ?? range.lowerBound) + 1
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || ("+-." as StaticString).utf8.contains(byte)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isInScheme(byte) || ("_~:/?#@!$&'()*,;=%" as StaticString).utf8.contains(byte)
    }
}
