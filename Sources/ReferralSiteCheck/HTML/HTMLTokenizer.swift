/// Splits a page into tags and text, by the rules of the HTML standard ("Tokenization") for comments, quotation marks, raw
/// text, SVG and MathML. Markup that isn't closed ends with the page.
///
/// The time is linear for any page. `noscript` is raw text, as in a browser that runs scripts.
package struct HTMLTokenizer {
    enum Token {
        /// A start tag, and the content of an element of raw text.
        case startTag(HTMLElement, ArraySlice<UInt8>)
        /// The name is in lowercase.
        case endTag(String)
        case text(ArraySlice<UInt8>)
    }

    private let bytes: [UInt8]

    /// Whether the rules of XML apply: any element may be self-closing, and CDATA sections may be anywhere.
    private let isXML: Bool

    private var position = 0

    /// The offset of a comment, a tag or an element of raw text that the end of the page cuts off.
    private(set) var unclosed: Int?

    /// The open element of SVG or MathML.
    private var foreign: String?

    init(_ bytes: [UInt8], isXML: Bool) {
        (self.bytes, self.isXML) = (bytes, isXML)
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            if let token = nextMarkup() { return token }
        }
        return nil
    }

    /// The name of the first element of an XML text, in lowercase.
    package static func firstElement(ofXML text: [UInt8]) -> String? {
        var tokenizer = HTMLTokenizer(text, isXML: true)
        while let token = tokenizer.next() { if case .startTag(let element, _) = token { return element.name } }
        return nil
    }

    /// Reads text or a tag, or skips something else, such as a comment.
    private mutating func nextMarkup() -> Token? {
        let start = position
        guard bytes[start] == ASCII.lessThan else { return text(from: start) }
        switch byte(at: start + 1) {
        case UInt8(ascii: "!"):
            skipDeclaration()
            return nil
        case ASCII.slash where start + 2 == bytes.count: return text(from: start)
        case ASCII.slash where ASCII.isLetter(bytes[start + 2]):
            position = start + 2
            guard let tag = readTag(from: start) else { return nil }
            if tag.name == foreign { foreign = nil }
            return .endTag(tag.name)
        case let next? where ASCII.isLetter(next):
            position = start + 1
            return readTag(from: start).map { enter($0) }
        case ASCII.questionMark, ASCII.slash:
            // An instruction of XML may contain `>`.
            let isInstruction = isXML && bytes[start + 1] == ASCII.questionMark
            skip(past: isInstruction ? "?>" : ">", from: start + 2)
            return nil
        default:
            return text(from: start)
        }
    }

    /// Skips past the next occurrence of a text, or to the end of the page if it is missing.
    private mutating func skip(past text: String, from start: Int) {
        let end = bytes.range(of: text, from: start)?.upperBound
        if end == nil { unclosed = position }
        position = end ?? bytes.count
    }

    private mutating func text(from start: Int) -> Token {
        position = bytes[(start + 1)...].firstIndex(of: ASCII.lessThan) ?? bytes.count
        return .text(bytes[start..<position])
    }
}

// MARK: Tags

private extension HTMLTokenizer {
    /// Reads a tag after its `<` or `</`; `nil` if the page ends before it is complete.
    mutating func readTag(from start: Int) -> HTMLElement? {
        let name = position
        skip { !$0.isHTMLSpace && $0 != ASCII.slash && $0 != ASCII.greaterThan }
        var end = position
        let element = bytes[name..<end].lowercasedText.streamSafe
        var names: Set<String> = []
        var (attributes, repeated): ([HTMLElement.Attribute], [HTMLElement.Attribute]) = ([], [])
        while true {
            skip { $0.isHTMLSpace || $0 == ASCII.slash }
            if byte(at: position) == ASCII.greaterThan { break }
            guard position < bytes.count, let attribute = readAttribute() else {
                unclosed = start
                return nil
            }
            if names.insert(attribute.name).inserted {
                attributes.append(attribute)
            } else {
                repeated.append(attribute)
            }
            end = position
        }
        // A slash at the end of a value without quotation marks is a part of the value.
        let isSelfClosing = bytes[position - 1] == ASCII.slash && end < position
        position += 1
        return HTMLElement(
            name: element,
            offset: start,
            attributes: attributes,
            repeated: repeated,
            isSelfClosing: isSelfClosing
        )
    }

    /// Reads an attribute; `nil` if the page ends before its value is complete.
    mutating func readAttribute() -> HTMLElement.Attribute? {
        let start = position
        // A leading equals sign is a part of the name.
        position += 1
        skip { !$0.isHTMLSpace && $0 != ASCII.slash && $0 != ASCII.greaterThan && $0 != ASCII.equals }
        let name = bytes[start..<position]
        var value = bytes[position..<position]
        var isQuoted = false
        skip { $0.isHTMLSpace }
        if byte(at: position) == ASCII.equals {
            position += 1
            skip { $0.isHTMLSpace }
            guard let first = byte(at: position) else { return nil }
            let start = position
            isQuoted = first == ASCII.quote || first == UInt8(ascii: "'")
            if isQuoted {
                position = bytes[(start + 1)...].firstIndex(of: first) ?? bytes.count
                value = bytes[(start + 1)..<position]
                guard position < bytes.count else { return nil }
                position += 1
            } else {
                skip { !$0.isHTMLSpace && $0 != ASCII.greaterThan }
                value = bytes[start..<position]
            }
        }
        return HTMLElement.Attribute(
            name: name.lowercasedText.streamSafe,
            writtenName: String(decoding: name, as: UTF8.self).streamSafe,
            value: CharacterReferences.decoded(value).streamSafe,
            offset: start,
            isQuoted: isQuoted
        )
    }

    mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }
}

// MARK: Comments and raw text

private extension HTMLTokenizer {
    /// Skips the comment, the section or the declaration after `<!`.
    mutating func skipDeclaration() {
        let start = position
        if holds("<!--", at: start) {
            // `<!-->` and `<!--->` are complete comments.
            skip(past: "-->", from: start + 2)
        } else if isXML || foreign != nil, holds("<![CDATA[", at: start) {
            skip(past: "]]>", from: start + 9)
        } else {
            skip(past: ">", from: start + 2)
        }
    }

    /// The offset of the end tag of an element of raw text.
    func endOfRawText(of element: String) -> Int {
        var start = position
        while let next = bytes[start...].firstIndex(of: ASCII.lessThan) {
            if holdsTag("</" + element, at: next) { return next }
            start = next + 1
        }
        return bytes.count
    }
}

// MARK: Elements

private extension HTMLTokenizer {
    static let rawElements: Set<String> = [
        "script", "style", "textarea", "title", "noscript", "iframe", "xmp", "noembed", "noframes",
    ]

    mutating func enter(_ tag: HTMLElement) -> Token {
        var tag = tag
        // In XML, no other element contains raw text. These two may contain a CDATA section.
        var isRaw = ["script", "style"].contains(tag.name) && !tag.isSelfClosing
        if !isXML {
            tag.isForeign = foreign != nil
            if ["svg", "math"].contains(tag.name), !tag.isForeign, !tag.isSelfClosing { foreign = tag.name }
            isRaw = !tag.isForeign && Self.rawElements.contains(tag.name)
        }
        guard isRaw else { return .startTag(tag, []) }
        let start = position
        position = endOfRawText(of: tag.name)
        if position == bytes.count { unclosed = tag.offset }
        return .startTag(tag, bytes[start..<position])
    }
}

// MARK: Bytes

private extension HTMLTokenizer {
    func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    func holds(_ text: String, at position: Int) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Whether a tag begins at a position. The tag is `<` or `</` and a name in lowercase.
    func holdsTag(_ tag: String, at position: Int) -> Bool {
        let end = position + tag.utf8.count
        guard end < bytes.count, bytes[position..<end].elementsEqual(tag.utf8, by: { ASCII.lowercased($0) == $1 })
        else {
            return false
        }
        return bytes[end].isHTMLSpace || bytes[end] == ASCII.slash || bytes[end] == ASCII.greaterThan
    }
}
