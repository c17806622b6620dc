/// The root element of an SVG document.
struct SVGRoot {
    static let namespace = "http://www.w3.org/2000/svg"

    /// Whether the element is in SVG's namespace. In an image, browsers show no others.
    private(set) var hasNamespace = false

    private typealias Text = ArraySlice<UInt8>

    /// Finds the root element after comments, instructions and a document type. Returns `nil` if there is none that is
    /// called `svg`, with or without a prefix.
    init?(of file: [UInt8]) {
        var rest = file[...]
        if rest.starts(with: RowInput.byteOrderMark) { rest = rest.dropFirst(RowInput.byteOrderMark.count) }
        var documentType: Text = []
        while true {
            rest = rest.drop(while: Self.isSpace)
            if rest.starts(with: "<?".utf8) {
                guard Self.take(from: &rest, to: "?>") != nil else { return nil }
            } else if rest.starts(with: "<!--".utf8) {
                guard Self.take(from: &rest, to: "-->") != nil else { return nil }
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                // Its own declarations are between brackets.
                let hasBracket = rest.first { $0 == ASCII.openBracket || $0 == ASCII.greaterThan } == ASCII.openBracket
                guard let head = hasBracket ? Self.take(from: &rest, to: "]") : [],
                    let tail = Self.take(from: &rest, to: ">")
                else { return nil }
                documentType = head + tail
            } else {
                break
            }
        }
        guard rest.popFirst() == ASCII.lessThan else { return nil }
        let name = rest.prefix { !Self.isSpace($0) && $0 != ASCII.slash && $0 != ASCII.greaterThan }
        let parts = name.split(separator: ASCII.colon, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.last?.elementsEqual("svg".utf8) == true else { return nil }
        let declaration = Array("xmlns".utf8) + (parts.count > 1 ? [ASCII.colon] + parts[0] : [])
        rest = rest[name.endIndex...]
        while let attribute = Self.attribute(&rest) {
            guard attribute.name.elementsEqual(declaration) else { continue }
            hasNamespace = Self.expanded(attribute.value, documentType).elementsEqual(Self.namespace.utf8)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == ASCII.tab || byte == ASCII.carriageReturn || byte == ASCII.lineFeed
    }

    /// Removes the text up to the end of another one; `nil` if the other text is missing.
    private static func take(from text: inout Text, to end: StaticString) -> Text? {
        guard let found = text.firstRange(of: Array(end.utf8)) else { return nil }
        defer { text = text[found.upperBound...] }
        return text[..<found.upperBound]
    }

    /// The next attribute of a tag; `nil` at its end.
    private static func attribute(_ text: inout Text) -> (name: Text, value: Text)? {
        text = text.drop(while: isSpace)
        let name = text.prefix { !isSpace($0) && ![ASCII.equals, ASCII.greaterThan, ASCII.slash].contains($0) }
        text = text[name.endIndex...].drop(while: isSpace)
        guard !name.isEmpty, text.popFirst() == ASCII.equals else { return nil }
        text = text.drop(while: isSpace)
        guard let mark = text.popFirst(), mark == ASCII.quote || mark == ASCII.apostrophe,
            let end = text.firstIndex(of: mark)
        else { return nil }
        defer { text = text[(end + 1)...] }
        return (name, text[..<end])
    }

    /// A value, or the value of an entity that the document type declares, such as Illustrator's `&ns_svg;`.
    private static func expanded(_ value: Text, _ documentType: Text) -> Text {
        guard value.first == ASCII.ampersand, value.last == ASCII.semicolon else { return value }
        var rest = documentType
        while take(from: &rest, to: "<!ENTITY") != nil {
            rest = rest.drop(while: isSpace)
            let name = rest.prefix { !isSpace($0) && ![ASCII.quote, ASCII.apostrophe, ASCII.lessThan].contains($0) }
            rest = rest[name.endIndex...].drop(while: isSpace)
            guard name.elementsEqual(value.dropFirst().dropLast()), let mark = rest.popFirst() else { continue }
            return rest.prefix { $0 != mark }
        }
        return value
    }
}
