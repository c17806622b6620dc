import ReferralBridge

/// Cuts a page into tags and text, by those rules of the HTML standard ("Tokenization") that decide where a tag begins and
/// ends: comments, quotes, raw text, and the sections of SVG and MathML. Whatever is left open ends with the page.
///
/// Each byte is looked at a fixed number of times, whatever stands in it. `noscript` is raw text, as it is in a browser that
/// runs scripts: where none runs, the snippet does not either.
struct HTMLTokenizer {
    enum Token {
        case startTag(HTMLTag)
        /// An end tag's name in lower case.
        case endTag(String)
        case text(Range<Int>)
        /// The whole of an element whose content is raw.
        case rawText(Range<Int>)
    }

    private let bytes: [UInt8]

    /// Whether it is read by XML's rules: an element may close itself, and a CDATA section may stand anywhere.
    private let isXML: Bool

    private var position = 0

    /// The element whose raw text comes next.
    private var rawElement: HTMLTag?

    /// Where something begins that the page's end cuts off: a comment, a tag, or an element of raw text.
    private(set) var unclosed: Int?

    /// The elements of SVG and MathML that are open, and those inside of them whose content is HTML again.
    private var foreign: [String] = []

    init(_ bytes: [UInt8], isXML: Bool) {
        self.bytes = bytes
        self.isXML = isXML
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            if let element = rawElement.take() {
                let start = position
                position = element.name == "script" && !isXML ? endOfScript() : endOfRawText(of: element.name)
                if position == bytes.count, element.name != "plaintext" { unclosed = element.start }
                if start < position { return .rawText(start..<position) }
            } else if let token = nextMarkup() {
                return token
            }
        }
        // The page ends with the start tag of an element of raw text.
        if let element = rawElement.take(), element.name != "plaintext" { unclosed = element.start }
        return nil
    }

    /// Reads text, a tag, or something that is neither, such as a comment.
    private mutating func nextMarkup() -> Token? {
        let start = position
        guard bytes[start] == .lessThan else { return text(from: start) }
        switch byte(at: start + 1) {
        case .exclamationMark?:
            skipDeclaration()
            return nil
        case .questionMark?:
            skip(behind: ">", from: start + 2, of: start)
            return nil
        case .slash?:
            guard let next = byte(at: start + 2) else { return text(from: start) }
            guard next.isLetter else {
                skip(behind: ">", from: start + 2, of: start)
                return nil
            }
            position = start + 2
            guard let tag = readTag(from: start) else {
                unclosed = start
                return nil
            }
            leave(tag.name)
            return .endTag(tag.name)
        case let next? where next.isLetter:
            position = start + 1
            guard let tag = readTag(from: start) else {
                unclosed = start
                return nil
            }
            return .startTag(enter(tag))
        default:
            return text(from: start)
        }
    }

    /// Goes on behind some text, or to the page's end, where it is missing from what begins at a position.
    private mutating func skip(behind text: String, from start: Int, of beginning: Int) {
        let end = end(behind: text, from: start)
        if end == nil { unclosed = beginning }
        position = end ?? bytes.count
    }

    private mutating func text(from start: Int) -> Token {
        position = bytes[(start + 1)...].firstIndex(of: .lessThan) ?? bytes.count
        return .text(start..<position)
    }
}

// MARK: Tags

private extension HTMLTokenizer {
    /// Reads a tag from its name on; `nil` for one that the page's end cuts off, which is none.
    mutating func readTag(from start: Int) -> HTMLTag? {
        let name = position
        skip { !$0.isHTMLSpace && $0 != .slash && $0 != .greaterThan }
        let nameEnd = position
        var attributes: [HTMLTag.Attribute] = []
        while true {
            skip { $0.isHTMLSpace || $0 == .slash }
            guard let next = byte(at: position) else { return nil }
            if next == .greaterThan { break }
            guard let attribute = readAttribute() else { return nil }
            attributes.append(attribute)
        }
        let isSelfClosing = bytes[position - 1] == .slash && attributes.last?.value.upperBound != position
        position += 1
        return HTMLTag(
            name: bytes[name..<nameEnd].lowercasedText,
            start: start,
            attributes: attributes,
            isSelfClosing: isSelfClosing
        )
    }

    /// Reads an attribute; `nil` where the page ends inside of its value.
    mutating func readAttribute() -> HTMLTag.Attribute? {
        let start = position
        // An equals sign in front is a part of the name.
        position += 1
        skip { !$0.isHTMLSpace && $0 != .slash && $0 != .greaterThan && $0 != .equals }
        let name = start..<position
        skip { $0.isHTMLSpace }
        guard byte(at: position) == .equals else {
            return HTMLTag.Attribute(name: name, value: name.upperBound..<name.upperBound)
        }
        position += 1
        skip { $0.isHTMLSpace }
        guard let first = byte(at: position) else { return nil }
        guard first == .quote || first == .apostrophe else {
            let value = position
            skip { !$0.isHTMLSpace && $0 != .greaterThan }
            return HTMLTag.Attribute(name: name, value: value..<position)
        }
        let value = position + 1
        guard let end = bytes[value...].firstIndex(of: first) else {
            position = bytes.count
            return nil
        }
        position = end + 1
        return HTMLTag.Attribute(name: name, value: value..<end)
    }

    mutating func skip(while isPassedOver: (UInt8) -> Bool) {
        while position < bytes.count, isPassedOver(bytes[position]) { position += 1 }
    }
}

// MARK: What is no tag

private extension HTMLTokenizer {
    /// Passes over the comment, the section or the declaration that begins here with `<!`.
    mutating func skipDeclaration() {
        let start = position
        if holds("<!--", at: start) {
            let end = endOfComment(from: start + 4)
            if end == nil { unclosed = start }
            position = end ?? bytes.count
        } else if isXML || isInForeignContent, holds("<![CDATA[", at: start) {
            skip(behind: "]]>", from: start + 9, of: start)
        } else {
            skip(behind: ">", from: start + 2, of: start)
        }
    }

    func endOfComment(from start: Int) -> Int? {
        // `<!-->` and `<!--->` are whole comments.
        if holds(">", at: start) { return start + 1 }
        if holds("->", at: start) { return start + 2 }
        var start = start
        while let next = bytes[start...].firstIndex(of: .dash) {
            if holds("-->", at: next) { return next + 3 }
            if holds("--!>", at: next) { return next + 4 }
            start = next + 1
        }
        return nil
    }

    /// The `<` of the end tag of an element of raw text.
    func endOfRawText(of element: String) -> Int {
        guard element != "plaintext" else { return bytes.count }
        var start = position
        while let next = bytes[start...].firstIndex(of: .lessThan) {
            if holdsTag("</" + element, at: next) { return next }
            start = next + 1
        }
        return bytes.count
    }

    /// The `<` of a script's end tag, which is none where a comment in the script holds another script's start tag.
    func endOfScript() -> Int {
        var (isInComment, isInScript) = (false, false)
        var next = position
        while next < bytes.count {
            switch bytes[next] {
            case .lessThan where !isInComment && holds("<!--", at: next):
                isInComment = true
                // The dashes may be those of its end: `<!-->`.
                next += 2
                continue
            case .lessThan where isInComment && !isInScript && holdsTag("<script", at: next):
                isInScript = true
            case .lessThan where holdsTag("</script", at: next):
                if !isInScript { return next }
                isInScript = false
            case .dash where isInComment && holds("-->", at: next):
                (isInComment, isInScript) = (false, false)
            default: break
            }
            next += 1
        }
        return bytes.count
    }
}

// MARK: Elements

private extension HTMLTokenizer {
    static let rawElements: Set<String> = [
        "script", "style", "textarea", "title", "noscript", "iframe", "xmp", "noembed", "noframes", "plaintext",
    ]

    /// Elements in SVG and MathML whose content is HTML.
    static let integrationPoints: Set<String> = [
        "foreignobject", "desc", "title", "annotation-xml", "mi", "mo", "mn", "ms", "mtext",
    ]

    /// Start tags that end SVG and MathML wherever they stand, by the standard's list.
    static let breakouts: Set<String> = [
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2",
        "h3",
        "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby",
        "s",
        "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
    ]

    /// Nobody nests them deeper; a page that does would be searched through again and again.
    static let depthAtMost = 64

    var isInForeignContent: Bool { foreign.last == "svg" || foreign.last == "math" }

    mutating func enter(_ tag: HTMLTag) -> HTMLTag {
        var tag = tag
        if isXML {
            // Other text holds no tags in XML. These two may hold a section, and are taken whole.
            if ["script", "style"].contains(tag.name), !tag.isSelfClosing { rawElement = tag }
            return tag
        }
        if isInForeignContent, Self.breakouts.contains(tag.name) {
            while isInForeignContent { foreign.removeLast() }
        }
        tag.isForeign = isInForeignContent
        let opens =
            tag.name == "svg" || tag.name == "math" || tag.isForeign && Self.integrationPoints.contains(tag.name)
        if opens {
            if !tag.isSelfClosing, foreign.count < Self.depthAtMost { foreign.append(tag.name) }
        } else if !tag.isForeign, Self.rawElements.contains(tag.name) {
            rawElement = tag
        }
        return tag
    }

    mutating func leave(_ element: String) {
        guard let open = foreign.lastIndex(of: element) else { return }
        foreign.removeSubrange(open...)
    }
}

// MARK: Bytes

private extension HTMLTokenizer {
    func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    func holds(_ text: String, at position: Int) -> Bool {
        position <= bytes.count && bytes[position...].starts(with: text.utf8)
    }

    /// Whether a tag begins here, given as `<` or `</` and a name in lower case.
    func holdsTag(_ tag: String, at position: Int) -> Bool {
        let end = position + tag.utf8.count
        guard end < bytes.count, bytes[position..<end].elementsEqual(tag.utf8, by: { $0.lowercased == $1 }) else {
            return false
        }
        return bytes[end].isHTMLSpace || bytes[end] == .slash || bytes[end] == .greaterThan
    }

    func end(behind text: String, from start: Int) -> Int? {
        guard let first = text.utf8.first else { return start }
        var start = min(start, bytes.count)
        while let next = bytes[start...].firstIndex(of: first) {
            if holds(text, at: next) { return next + text.utf8.count }
            start = next + 1
        }
        return nil
    }
}
