import ReferralBridge

/// Looks through an SVG for whatever keeps it from being an icon that is safe to hand on.
///
/// As a page's image an SVG runs no script and loads nothing, but people open images by themselves as well, where it would.
/// So what could run is refused, and so is what can't be looked through: entities that hold markup or other entities, come
/// from elsewhere or make the image grow. What XML forbids is refused where it would hide something.
struct SVGReader {
    enum Problem: Error {
        case notSVG
        /// Why it is refused.
        case refused(String)
    }

    /// Elements that run a script or hold a page, whatever their prefix.
    private static let refusedElements: Set<String> = ["script", "handler", "iframe", "embed", "object"]

    /// Encodings in which each byte of ASCII is what it is in UTF-8.
    private static let encodings = ["utf-8", "us-ascii", "iso-8859-", "windows-125"]

    private var rest: ArraySlice<UInt8>
    private var entities: [String: [UInt8]] = [
        "amp": Array("&".utf8), "lt": Array("<".utf8), "gt": Array(">".utf8), "quot": Array("\"".utf8),
        "apos": Array("'".utf8),
    ]
    /// How many bytes the entities came to.
    private var expandedCount = 0

    /// Reads an SVG to its end.
    ///
    /// - Parameter file: The file, in UTF-8.
    /// - Throws: Why it is no icon.
    static func check(_ file: [UInt8]) throws(Problem) {
        var reader = SVGReader(rest: file[...])
        try reader.readProlog()
        while !reader.rest.isEmpty { try reader.readContent() }
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }
}

// MARK: In front of the root

private extension SVGReader {
    /// Reads to the end of the root's start tag.
    mutating func readProlog() throws(Problem) {
        if begins("\u{FEFF}") { rest.removeFirst(3) }
        while true {
            skipSpace()
            if begins("<?") {
                let instruction = try taken(to: "?>").lowercasedText
                try checkEncoding(instruction)
            } else if begins("<!--") {
                _ = try taken(to: "-->")
            } else if begins("<!DOCTYPE") {
                try readDoctype()
            } else if begins("<"), rest.dropFirst().first?.isLetter == true {
                let root = try readTag()
                guard let root, root.name == "svg" else { throw .notSVG }
                let namespace = root.attributes["xmlns:" + root.prefix.asciiLowercased]
                guard root.prefix.isEmpty || namespace == "http://www.w3.org/2000/svg" else { throw .notSVG }
                try check(root)
                return
            } else {
                throw .notSVG
            }
        }
    }

    func checkEncoding(_ declaration: String) throws(Problem) {
        let words = declaration.split { " \t\r\n=\"'?".contains($0) }
        guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else { return }
        let encoding = words[place + 1]
        guard Self.encodings.contains(where: encoding.hasPrefix) else {
            throw .refused("its encoding is \(ToolError.quoted(String(encoding))); save it as UTF-8")
        }
    }

    mutating func readDoctype() throws(Problem) {
        rest = rest.dropFirst("<!DOCTYPE".utf8.count)
        while let byte = rest.popFirst(), byte != .greaterThan {
            if byte == .quote || byte == .apostrophe {
                try skip(behind: byte)
            } else if byte == UInt8(ascii: "[") {
                try readDeclarations()
            }
        }
    }

    /// Reads a document type's own declarations, to the bracket behind them.
    mutating func readDeclarations() throws(Problem) {
        while true {
            skipSpace()
            if begins("]") {
                rest.removeFirst()
                return
            } else if begins("<!--") {
                _ = try taken(to: "-->")
            } else if begins("<!ENTITY") {
                try readEntity()
            } else if rest.isEmpty {
                throw .notSVG
            } else {
                throw .refused("its document type declares something else than entities; save it without")
            }
        }
    }

    mutating func readEntity() throws(Problem) {
        rest = rest.dropFirst("<!ENTITY".utf8.count)
        skipSpace()
        guard !begins("%") else { throw .refused("its document type has a parameter entity; save it without") }
        let name = String(decoding: taken { !ASCII.isWhiteSpace($0) && $0 != .greaterThan }, as: UTF8.self)
        skipSpace()
        guard let quote = rest.first, quote == .quote || quote == .apostrophe else {
            throw .refused("its entity \(ToolError.quoted(name)) is external, and a page loads none; save it without")
        }
        rest.removeFirst()
        let start = rest
        try skip(behind: quote)
        let value = Array(start[..<(rest.startIndex - 1)])
        guard !value.contains(.lessThan), !value.contains(.ampersand), !value.contains(UInt8(ascii: "%")) else {
            throw .refused("its entity \(ToolError.quoted(name)) holds markup or another entity; save it without")
        }
        skipSpace()
        guard begins(">") else { throw .notSVG }
        rest.removeFirst()
        // The first of a name counts.
        if entities[name] == nil { entities[name] = value }
    }
}

// MARK: From the root on

private extension SVGReader {
    struct Tag {
        let prefix: String
        let name: String
        let attributes: [String: String]
    }

    /// Reads text, a tag, or something that is neither.
    mutating func readContent() throws(Problem) {
        if begins("<!--") {
            _ = try taken(to: "-->")
        } else if begins("<![CDATA[") {
            _ = try taken(to: "]]>")
        } else if begins("<?") {
            _ = try taken(to: "?>")
        } else if begins("</") {
            _ = try taken(to: ">")
        } else if begins("<") {
            guard let tag = try readTag() else { throw broken }
            guard !Self.refusedElements.contains(tag.name) else {
                throw .refused("there is <\(tag.name)> in it, which no icon needs; save it without")
            }
            try check(tag)
        } else {
            _ = try expanded(taken { $0 != .lessThan })
        }
    }

    func check(_ tag: Tag) throws(Problem) {
        for (name, value) in tag.attributes {
            guard !name.hasPrefix("on") else {
                throw .refused("there is a script in it, in \(ToolError.quoted(name)); save it without")
            }
            let isScript = String(value.unicodeScalars.filter { $0 > " " }).asciiLowercased.contains("javascript:")
            guard !isScript else { throw .refused("there is a javascript: address in it; save it without") }
        }
    }

    /// Reads a start tag; `nil` for one that is cut off.
    mutating func readTag() throws(Problem) -> Tag? {
        rest.removeFirst()
        let name = taken { !ASCII.isWhiteSpace($0) && $0 != .slash && $0 != .greaterThan }
        var attributes: [String: String] = [:]
        while true {
            _ = taken { ASCII.isWhiteSpace($0) || $0 == .slash }
            guard let next = rest.first else { return nil }
            if next == .greaterThan { break }
            let name = taken { !ASCII.isWhiteSpace($0) && $0 != .equals && $0 != .greaterThan && $0 != .slash }
            skipSpace()
            guard begins("=") else { throw broken }
            rest.removeFirst()
            skipSpace()
            guard let quote = rest.popFirst(), quote == .quote || quote == .apostrophe else { throw broken }
            let start = rest
            try skip(behind: quote)
            let value = start[..<(rest.startIndex - 1)]
            guard !value.contains(.lessThan) else { throw broken }
            attributes[name.lowercasedText] = try expanded(value)
        }
        rest.removeFirst()
        let parts = name.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? String(decoding: parts[0], as: UTF8.self) : ""
        return Tag(prefix: prefix, name: parts.last?.lowercasedText ?? "", attributes: attributes)
    }

    /// Text with what its references stand for.
    mutating func expanded(_ text: ArraySlice<UInt8>) throws(Problem) -> String {
        var expanded: [UInt8] = []
        var rest = text
        while let ampersand = rest.firstIndex(of: .ampersand) {
            expanded += rest[..<ampersand]
            guard let end = rest[ampersand...].firstIndex(of: UInt8(ascii: ";")) else { throw broken }
            let name = rest[(ampersand + 1)..<end]
            if name.first == UInt8(ascii: "#") {
                expanded += CharacterReferences.decoded(rest[ampersand...end]).utf8
            } else {
                let name = String(decoding: name, as: UTF8.self)
                guard let value = entities[name] else {
                    throw .refused("its entity \(ToolError.quoted(name)) is declared nowhere; save it without")
                }
                expandedCount += value.count
                guard expandedCount <= PageIcon.maximumSize else {
                    throw .refused("its entities make more than \(PageIcon.maximumSize) bytes; save it without them")
                }
                expanded += value
            }
            rest = rest[(end + 1)...]
        }
        return String(decoding: expanded + rest, as: UTF8.self)
    }

    var broken: Problem { .refused("it is no well-formed SVG; save it anew") }
}

// MARK: Bytes

private extension SVGReader {
    func begins(_ text: String) -> Bool { rest.starts(with: text.utf8) }

    mutating func skipSpace() { rest = rest.drop(while: ASCII.isWhiteSpace) }

    mutating func taken(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Takes everything to the end of some text.
    mutating func taken(to end: String) throws(Problem) -> ArraySlice<UInt8> {
        let start = rest
        let end = Array(end.utf8)
        while let next = rest.firstIndex(of: end[0]) {
            rest = rest[next...]
            if rest.starts(with: end) {
                rest = rest.dropFirst(end.count)
                return start[..<rest.startIndex]
            }
            rest.removeFirst()
        }
        throw .notSVG
    }

    mutating func skip(behind quote: UInt8) throws(Problem) {
        guard let end = rest.firstIndex(of: quote) else { throw .notSVG }
        rest = rest[(end + 1)...]
    }
}
