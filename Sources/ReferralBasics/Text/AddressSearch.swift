/// Finds the addresses in a text, such as one from a chat, with words, brackets or quotation marks around them.
///
/// An address begins with a scheme and `://`. It ends before the first character that isn't allowed in an address (RFC 3986), such
/// as white space, or a letter that isn't ASCII. Square brackets end it too, since Markdown writes them beside an address.
/// What ``withoutEnding(_:)`` removes belongs to the text.
package struct AddressSearch: Sequence, IteratorProtocol {
    private let text: Bytes
    private var position = 0

    /// Creates a search in the bytes of a text, which are valid only as long as their owner keeps them.
    package init(_ text: Bytes) { self.text = text }

    /// The range of the next address.
    package mutating func next() -> Range<Int>? {
        while let colon = text[position...].place(of: ASCII.colon) {
            position = colon + 1
            guard text[position...].starts(with: ("//" as StaticString).utf8) else { continue }
            position = text[position...].firstIndex { !Self.isAllowed($0) } ?? text.endIndex
            var start = colon
            while start > 0, Self.isInScheme(text[start - 1]) { start -= 1 }
            while start < colon, !ASCII.isLetter(text[start]) { start += 1 }
            guard start < colon else { continue }
            let address = String(decoding: text[start..<position], as: UTF8.self)
            let end = start + Self.withoutEnding(address[...]).utf8.count
            // After the colon and both slashes.
            if end > colon + 3 { return start..<end }
        }
        return nil
    }

    /// An address without what a text adds at its end: punctuation, a parenthesis that isn't opened in the address, characters
    /// without a shape, and others that an address doesn't contain. A letter, a mark or a digit of any script stays.
    package static func withoutEnding(_ address: Substring) -> Substring {
        let hasParenthesis = address.utf8.contains(UInt8(ascii: "("))
        let end = address.unicodeScalars.lastIndex { scalar in
            guard scalar.isASCII else { return isWritten(scalar.properties) }
            let isPunctuation = ".,;:!?'*".unicodeScalars.contains(scalar) || scalar == ")" && !hasParenthesis
            return isAllowed(UInt8(scalar.value)) && !isPunctuation
        }
        return end.map { Substring(address.unicodeScalars[...$0]) } ?? ""
    }

    private static func isWritten(_ properties: Unicode.Scalar.Properties) -> Bool {
        if properties.isDefaultIgnorableCodePoint { return false }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ("+-." as StaticString).utf8.contains(byte)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isInScheme(byte) || ("_~:/?#@!$&'()*,;=%" as StaticString).utf8.contains(byte)
    }
}
