import ReferralBridge

/// Checks that an SVG only draws.
///
/// An SVG in a page's image doesn't run scripts, but it does if somebody opens it directly. So only content that is
/// known to draw is allowed, and only unambiguous XML.
struct SVGReader {
    static let maximumDepth = 128

    private struct Element {
        let name: String
        /// Whether the prefix `xlink` is declared.
        let hasXLink: Bool
        let start: Int
        var text: [UInt8] = []
    }

    private struct Attribute {
        let name: String
        let value: [UInt8]
        let start: Int
    }

    private let text: [UInt8]
    private var position = 0
    private var open: [Element] = []

    /// Checks a file in UTF-8.
    static func check(_ file: [UInt8]) throws(PictureProblem) {
        var reader = SVGReader(text: file)
        try reader.checkCharacters()
        try reader.read()
    }

    private init(text: [UInt8]) { self.text = text }
}

// MARK: The document

private extension SVGReader {
    /// Control characters, U+FFFE and U+FFFF aren't allowed in XML.
    func checkCharacters() throws(PictureProblem) {
        for (index, byte) in text.enumerated() {
            let isControl = byte < 0x20 && !SVGRules.isSpace(byte)
            let isNone =
                byte == 0xEF
                && (text[index...].starts(with: [0xEF, 0xBF, 0xBE]) || text[index...].starts(with: [0xEF, 0xBF, 0xBF]))
            if isControl || isNone { throw problem(.character, at: index) }
        }
    }

    mutating func read() throws(PictureProblem) {
        if isNext("\u{FEFF}") { position += 3 }
        if isNext("<?xml"), position + 5 < text.count, SVGRules.isSpace(text[position + 5]) { try skipDeclaration() }
        var (hasDoctype, hasRoot) = (false, false)
        while true {
            skipSpace()
            if hasRoot, position == text.count { return }
            if isNext("<!--") {
                try skipComment()
            } else if isNext("<?") {
                throw problem(.instruction)
            } else if isNext("<!DOCTYPE"), !hasDoctype, !hasRoot {
                try skipDoctype()
                hasDoctype = true
            } else if hasRoot {
                throw problem(.malformed)
            } else if isNext("<"), position + 1 < text.count, isNameStart(text[position + 1]) {
                try readStartTag()
                while !open.isEmpty { try readContent() }
                hasRoot = true
            } else {
                throw PictureProblem(.notAPicture)
            }
        }
    }

    mutating func skipDeclaration() throws(PictureProblem) {
        let start = position
        var encoding = "utf-8"
        let isRead = skipWord("<?xml") && skipSpace() && skipWord("version") && skipEquals() && takenQuoted() == "1.0"
        guard isRead else { throw problem(.instruction, at: start) }
        var hasSpace = skipSpace()
        if hasSpace, skipWord("encoding") {
            guard skipEquals(), let name = takenQuoted() else { throw problem(.instruction, at: start) }
            encoding = name
            hasSpace = skipSpace()
        }
        if hasSpace, skipWord("standalone") {
            guard skipEquals(), let answer = takenQuoted(), ["yes", "no"].contains(answer) else {
                throw problem(.instruction, at: start)
            }
            skipSpace()
        }
        guard skipWord("?>") else { throw problem(.instruction, at: start) }
        guard encoding.utf8.map(ASCII.lowercased).elementsEqual("utf-8".utf8) else {
            throw problem(.encoding, at: start)
        }
    }

    mutating func skipDoctype() throws(PictureProblem) {
        let start = position
        guard skipWord("<!DOCTYPE"), skipSpace(), skipWord("svg") else { throw problem(.doctype, at: start) }
        if skipSpace(), skipWord("PUBLIC") {
            guard skipSpace(), let name = takenQuoted(), skipSpace(), let address = takenQuoted(),
                SVGRules.documentTypes[name] == address
            else { throw problem(.doctype, at: start) }
            skipSpace()
        }
        guard skipWord(">") else { throw problem(.doctype, at: start) }
    }

    /// Skips a comment. In XML, it ends at the first `--` after `<!--`, but not in HTML.
    mutating func skipComment() throws(PictureProblem) {
        let start = position
        position += 4
        let isHTML = isNext(">") || isNext("->")
        _ = try taken(to: "--")
        guard !isHTML, isNext(">") else { throw problem(.comment, at: start) }
        position += 1
    }
}

// MARK: The content

private extension SVGReader {
    /// Reads text, a tag, or something else inside an element.
    mutating func readContent() throws(PictureProblem) {
        let last = open.count - 1
        if isNext("<!--") {
            guard open[last].name != "style" else { throw problem(.comment) }
            try skipComment()
        } else if isNext("<![CDATA[") {
            let start = position
            position += 9
            let section = try taken(to: "]]>")
            // HTML would read a tag in some elements.
            guard !section.contains(ASCII.lessThan) else { throw problem(.section, at: start) }
            open[last].text += section
        } else if isNext("<?") {
            throw problem(.instruction)
        } else if isNext("</") {
            try readEndTag()
        } else if isNext("<") {
            try readStartTag()
        } else {
            let start = position
            guard let end = text[position...].firstIndex(of: ASCII.lessThan) else { throw problem(.malformed) }
            position = end
            let raw = text[start..<end]
            guard raw.firstRange(of: "]]>".utf8) == nil else { throw problem(.malformed, at: start) }
            open[last].text += try expanded(raw, at: start)
        }
    }

    mutating func readStartTag() throws(PictureProblem) {
        let start = position
        position += 1
        let name = try takenName()
        guard !open.isEmpty || name == "svg" || name.hasSuffix(":svg") else { throw PictureProblem(.notAPicture) }
        guard !name.utf8.contains(ASCII.colon) else { throw problem(.namespace, name, at: start) }
        guard SVGRules.elements.contains(name), open.last?.name != "style" else {
            throw problem(.element, name, at: start)
        }
        let attributes = try readAttributes()
        let hasXLink = attributes.contains { $0.name == "xmlns:xlink" } || open.last?.hasXLink == true
        for attribute in attributes { try check(attribute, of: name, hasXLink: hasXLink) }
        // Without it, browsers don't show anything.
        guard !open.isEmpty || attributes.contains(where: { $0.name == "xmlns" }) else {
            throw problem(.namespace, "svg", at: start)
        }
        if skipWord("/>") { return }
        position += 1
        guard open.count < Self.maximumDepth else { throw problem(.depth, at: start) }
        open.append(Element(name: name, hasXLink: hasXLink, start: start))
    }

    /// Reads up to the end of a tag, which stays.
    private mutating func readAttributes() throws(PictureProblem) -> [Attribute] {
        var attributes: [Attribute] = []
        var names: Set<String> = []
        while true {
            let hasSpace = skipSpace()
            if isNext(">") || isNext("/>") { return attributes }
            guard hasSpace else { throw problem(.malformed) }
            let start = position
            let name = try takenName()
            skipSpace()
            guard skipWord("=") else { throw problem(.malformed) }
            skipSpace()
            guard let quote = text[position...].first, quote == ASCII.quote || quote == ASCII.apostrophe else {
                throw problem(.malformed)
            }
            position += 1
            let value = try taken(to: quote == ASCII.quote ? "\"" : "'")
            guard !value.contains(ASCII.lessThan), names.insert(name).inserted else {
                throw problem(.malformed, at: start)
            }
            attributes.append(Attribute(name: name, value: try expanded(value, at: start), start: start))
        }
    }

    mutating func readEndTag() throws(PictureProblem) {
        let start = position
        position += 2
        let name = try takenName()
        skipSpace()
        let last = open.removeLast()
        guard last.name == name, skipWord(">") else { throw problem(.malformed, at: start) }
        guard name == "style", let fault = SVGRules.fault(ofSheet: last.text[...]) else { return }
        throw problem(.style, fault, at: last.start)
    }

    private func check(_ attribute: Attribute, of element: String, hasXLink: Bool) throws(PictureProblem) {
        let (name, value) = (attribute.name, attribute.value[...])
        func refused(_ kind: PictureProblem.Kind, _ fault: String? = nil) -> PictureProblem {
            problem(kind, fault ?? name, at: attribute.start)
        }
        if let namespace = SVGRules.namespaces[name] {
            guard value.elementsEqual(namespace.utf8) else { throw refused(.namespace) }
        } else if name == "href" || name == "xlink:href" {
            guard name == "href" || hasXLink else { throw refused(.namespace) }
            guard SVGRules.isAddress(value, of: element) else { throw refused(.address) }
        } else if name == "style" {
            if let fault = SVGRules.fault(ofDeclarations: value) { throw refused(.style, fault) }
        } else if element == "style", name == "type" {
            guard value.elementsEqual("text/css".utf8) else { throw refused(.value) }
        } else if SVGRules.attributes.contains(name) || SVGRules.properties.contains(name) {
            guard SVGRules.isPlain(value) else { throw refused(.value) }
        } else if !SVGRules.textAttributes.contains(name) {
            throw refused(name.utf8.contains(ASCII.colon) ? .namespace : .attribute)
        }
    }

    /// Text with its references replaced.
    func expanded(_ raw: ArraySlice<UInt8>, at start: Int) throws(PictureProblem) -> [UInt8] {
        var expanded: [UInt8] = []
        var rest = raw
        while let ampersand = rest.firstIndex(of: ASCII.ampersand) {
            expanded += rest[..<ampersand]
            guard let end = rest[ampersand...].firstIndex(of: ASCII.semicolon) else {
                throw problem(.malformed, at: start)
            }
            let name = rest[(ampersand + 1)..<end]
            rest = rest[(end + 1)...]
            if let code = Self.code(name) {
                let isControl = code < 0x20 && ![0x9, 0xA, 0xD].contains(code)
                guard !isControl, code & ~1 != 0xFFFE, let character = Unicode.Scalar(code) else {
                    throw problem(.character, at: start)
                }
                expanded += String(character).utf8
            } else {
                let name = String(decoding: name, as: UTF8.self)
                guard let replacement = SVGRules.entities[name] else { throw problem(.entity, name, at: start) }
                expanded += replacement.utf8
            }
        }
        return expanded + rest
    }

    /// The number of a reference such as `#65` or `#x41`; `nil` if it isn't of that form.
    static func code(_ reference: ArraySlice<UInt8>) -> UInt32? {
        guard reference.first == ASCII.hash else { return nil }
        let isHexadecimal = reference.dropFirst().first == UInt8(ascii: "x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        // A sign would be a digit to UInt32's initializer.
        guard 1...(isHexadecimal ? 6 : 7) ~= digits.count,
            digits.allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) })
        else {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    }
}

// MARK: Bytes

private extension SVGReader {
    func problem(_ kind: PictureProblem.Kind, _ name: String? = nil, at place: Int? = nil) -> PictureProblem {
        let line = text[..<(place ?? position)].reduce(1) { $1 == ASCII.lineFeed ? $0 + 1 : $0 }
        return PictureProblem(kind, line: line, name: name)
    }

    func isNext(_ word: String) -> Bool { text[position...].starts(with: word.utf8) }

    func isNameStart(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || byte == UInt8(ascii: "_") }

    mutating func skipWord(_ word: String) -> Bool {
        guard isNext(word) else { return false }
        position += word.utf8.count
        return true
    }

    /// Whether there was white space.
    @discardableResult mutating func skipSpace() -> Bool {
        let start = position
        while position < text.count, SVGRules.isSpace(text[position]) { position += 1 }
        return position > start
    }

    /// Skips an equals sign with the white space around it.
    mutating func skipEquals() -> Bool {
        skipSpace()
        guard skipWord("=") else { return false }
        skipSpace()
        return true
    }

    /// Reads a name, which may have a prefix.
    mutating func takenName() throws(PictureProblem) -> String {
        guard let end = endOfName(from: position) else { throw problem(.malformed) }
        let isPrefix = end < text.count && text[end] == ASCII.colon
        let last = isPrefix ? endOfName(from: end + 1) ?? end : end
        defer { position = last }
        return String(decoding: text[position..<last], as: UTF8.self)
    }

    func endOfName(from start: Int) -> Int? {
        guard start < text.count, isNameStart(text[start]) else { return nil }
        return text[start...].firstIndex { !SVGRules.isWord($0) && $0 != UInt8(ascii: ".") } ?? text.count
    }

    /// Reads a text in quotation marks or apostrophes, and returns it without them.
    mutating func takenQuoted() -> String? {
        guard position < text.count, text[position] == ASCII.quote || text[position] == ASCII.apostrophe else {
            return nil
        }
        let rest = text[(position + 1)...]
        guard let end = rest.firstIndex(of: text[position]) else { return nil }
        position = end + 1
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// Reads everything up to a text, and skips this text.
    mutating func taken(to end: String) throws(PictureProblem) -> ArraySlice<UInt8> {
        let rest = text[position...]
        guard let end = rest.firstRange(of: end.utf8) else { throw problem(.malformed) }
        position = end.upperBound
        return rest[..<end.lowerBound]
    }
}
