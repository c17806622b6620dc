/// Finds the addresses in a text, such as one from a chat, with words, brackets or quotation marks around them.
///
/// An address begins with a scheme and `://`. It ends before the first character that isn't allowed in an address (RFC 3986), such
/// as white space, or a letter that isn't ASCII. Square brackets end it too, since Markdown writes them beside an address.
/// What ``end(of:)`` leaves out belongs to the text.
package struct AddressSearch: Sequence, IteratorProtocol {
    private let text: Bytes
    private let findsWords: Bool
    private var position = 0

    /// Creates a search in the bytes of a text, which are valid only as long as their owner keeps them.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - findsWords: Whether it also finds what may be an address without a scheme, such as `example.com/get`: each word with a dot.
    package init(_ text: Bytes, findsWords: Bool = false) { (self.text, self.findsWords) = (text, findsWords) }

    /// The range of the next address.
    package mutating func next() -> Range<Int>? {
        while let first = text[position...].firstIndex(where: Self.isAllowed) {
            let word = text[first...].prefix(while: Self.isAllowed)
            position = word.endIndex
            if let start = start(in: word) { return start..<end(of: start..<position) }
        }
        return nil
    }

    /// The start of the address in a word: that of its scheme, or else of the word, unless that begins within another one.
    private func start(in word: Slice<Bytes>) -> Int? {
        if let colon = word.indices.first(where: { word[$0...].starts(with: ("://" as StaticString).utf8) }) {
            let scheme = word[..<colon].lastIndex { !Self.isInScheme($0) }.map { $0 + 1 } ?? word.startIndex
            if let start = word[scheme..<colon].firstIndex(where: ASCII.isLetter) { return start }
        }
        guard findsWords, word.contains(ASCII.period) else { return nil }
        let start = word.firstIndex { !("(*'_~" as StaticString).utf8.contains($0) }
        let before = String(decoding: text[..<word.startIndex].suffix(4), as: UTF8.self).unicodeScalars.last
        return start == word.startIndex && before?.isWritten == true ? nil : start
    }

    /// The end of an address without what a text adds to it: punctuation, and a parenthesis that isn't opened in the address.
    private func end(of address: Range<Int>) -> Int {
        let hasParenthesis = text[address].contains(UInt8(ascii: "("))
        let last = text[address].lastIndex {
            !(".,;:!?'*" as StaticString).utf8.contains($0) && ($0 != UInt8(ascii: ")") || hasParenthesis)
        }
        return last.map { $0 + 1 } ?? address.lowerBound
    }

    /// Whether an address was visibly cut, or has grown: an ellipsis, U+FFFE, or a letter or a digit of any script is directly behind
    /// it, or it goes on in the next line, since it ends with a hyphen or with an item that has no value.
    package func isCut(_ address: Range<Int>) -> Bool {
        let behind = text[address.upperBound...]
        let rest = behind.drop(while: Self.isAllowed)
        let next = String(decoding: rest.prefix(64), as: UTF8.self).unicodeScalars.first { !$0.isShapeless }
        if behind.starts(with: "...".utf8) || next == "…" && rest.startIndex == behind.startIndex { return true }
        if let next, next.value == 0xFFFE || next.isWritten { return true }
        let line = rest.drop { $0 == ASCII.space || $0 == ASCII.tab }.first
        guard line == ASCII.lineFeed || line == ASCII.carriageReturn, !rest.allSatisfy(ASCII.isWhiteSpace) else {
            return false
        }
        let whole = text[address.lowerBound..<rest.startIndex]
        guard whole.last != ASCII.dash, let query = whole.firstIndex(of: ASCII.questionMark) else {
            return whole.last == ASCII.dash
        }
        let item = whole[(query + 1)...].split(separator: ASCII.ampersand, omittingEmptySubsequences: false).last ?? []
        return item.isEmpty || item.firstIndex(of: ASCII.equals) == item.endIndex - 1
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ("+-." as StaticString).utf8.contains(byte)
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        isInScheme(byte) || ("_~:/?#@!$&'()*,;=%" as StaticString).utf8.contains(byte)
    }
}

extension Unicode.Scalar {
    /// Whether the character is a letter, a mark or a digit of any script.
    var isWritten: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            !isShapeless
        default: false
        }
    }

    /// Whether nothing is seen of the character, such as U+200B or U+00AD.
    fileprivate var isShapeless: Bool { properties.isDefaultIgnorableCodePoint }
}
