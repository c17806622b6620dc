import ReferralBridge
import SiteCheck

/// Checks that an SVG is safe as an icon.
///
/// As the image of a page an SVG runs no scripts, but people may open the image by itself, where it would. So scripts are
/// rejected, and everything that could hide one: entities that contain markup or other entities, are external or make the
/// image grow, and malformed XML.
struct SVGReader {
    struct Problem: Error {
        let reason: String

        static let notSVG = rejected("it is not a PNG, JPEG, WebP or SVG")

        static func rejected(_ reason: String) -> Problem { Problem(reason: reason) }
    }

    /// Elements that run a script or contain a page, with any prefix.
    private static let rejectedElements: Set<String> = ["script", "handler", "iframe", "embed", "object"]

    /// Encodings that contain ASCII.
    private static let encodings = ["utf-8", "us-ascii", "iso-8859-", "windows-125"]

    private var rest: ArraySlice<UInt8>
    private var entities: [String: [UInt8]] = [
        "amp": Array("&".utf8), "lt": Array("<".utf8), "gt": Array(">".utf8), "quot": Array("\"".utf8),
        "apos": Array("'".utf8),
    ]
    /// The number of bytes of all expanded entities.
    private var expandedCount = 0

    /// Checks a file in UTF-8.
    static func check(_ file: [UInt8]) throws(Problem) {
        var reader = SVGReader(rest: file[...])
        try reader.readProlog()
        while !reader.rest.isEmpty { try reader.readContent() }
    }
}

// MARK: Before the root

private extension SVGReader {
    /// Reads to the end of the root's start tag.
    mutating func readProlog() throws(Problem) {
        if starts(with: "\u{FEFF}") { rest.removeFirst(3) }
        while true {
            skipSpace()
            if starts(with: "<?") {
                let instruction = try taken(to: "?>").lowercasedText
                try checkEncoding(instruction)
            } else if starts(with: "<!--") {
                _ = try taken(to: "-->")
            } else if starts(with: "<!DOCTYPE") {
                try readDoctype()
            } else if starts(with: "<"), rest.dropFirst().first?.isLetter == true {
                let root = try readTag()
                guard let root, root.name == "svg" else { throw .notSVG }
                let namespace = root.attributes["xmlns:" + root.prefix]
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
            throw .rejected("its encoding is \(String(encoding).quoted); save it as UTF-8")
        }
    }

    mutating func readDoctype() throws(Problem) {
        rest = rest.dropFirst("<!DOCTYPE".utf8.count)
        while !rest.isEmpty {
            if try takenQuoted() != nil { continue }
            let byte = rest.removeFirst()
            if byte == ASCII.greaterThan { return }
            if byte == UInt8(ascii: "[") { try readDeclarations() }
        }
    }

    /// Reads the internal declarations of a document type, with the closing bracket.
    mutating func readDeclarations() throws(Problem) {
        while true {
            skipSpace()
            if starts(with: "]") {
                rest.removeFirst()
                return
            } else if starts(with: "<!--") {
                _ = try taken(to: "-->")
            } else if starts(with: "<!ENTITY") {
                try readEntity()
            } else if rest.isEmpty {
                throw .notSVG
            } else {
                throw .rejected("its document type declares something other than entities; save it without")
            }
        }
    }

    mutating func readEntity() throws(Problem) {
        rest = rest.dropFirst("<!ENTITY".utf8.count)
        skipSpace()
        guard !starts(with: "%") else { throw .rejected("its document type has a parameter entity; save it without") }
        let name = String(decoding: taken { !ASCII.isWhiteSpace($0) && $0 != ASCII.greaterThan }, as: UTF8.self)
        skipSpace()
        guard let value = try takenQuoted() else {
            throw .rejected("its entity \(name.quoted) is external, and a page loads none; save it without")
        }
        guard !value.contains(ASCII.lessThan), !value.contains(ASCII.ampersand), !value.contains(ASCII.percent) else {
            throw .rejected("its entity \(name.quoted) holds markup or another entity; save it without")
        }
        skipSpace()
        guard starts(with: ">") else { throw .notSVG }
        rest.removeFirst()
        // On a repeated name, the first entity counts.
        if entities[name] == nil { entities[name] = Array(value) }
    }
}

// MARK: The root and its content

private extension SVGReader {
    struct Tag {
        let prefix: String
        let name: String
        let attributes: [String: String]
    }

    /// Reads text, a tag, or something else, such as a comment.
    mutating func readContent() throws(Problem) {
        let skipped = ["<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "</": ">"]
        if let end = skipped.first(where: { starts(with: $0.key) })?.value {
            _ = try taken(to: end)
        } else if starts(with: "<") {
            guard let tag = try readTag() else { throw broken }
            guard !Self.rejectedElements.contains(tag.name) else {
                throw .rejected("there is <\(tag.name)> in it, which no icon needs; save it without")
            }
            try check(tag)
        } else {
            _ = try expanded(taken { $0 != ASCII.lessThan })
        }
    }

    func check(_ tag: Tag) throws(Problem) {
        for (name, value) in tag.attributes {
            guard !name.hasPrefix("on") else {
                throw .rejected("there is a script in it, in \(name.quoted); save it without")
            }
            let isScript = String(value.unicodeScalars.filter { $0 > " " }).asciiLowercased.contains("javascript:")
            guard !isScript else { throw .rejected("there is a javascript: address in it; save it without") }
        }
    }

    /// Reads a start tag; `nil` if it is cut off.
    mutating func readTag() throws(Problem) -> Tag? {
        rest.removeFirst()
        let name = taken { !ASCII.isWhiteSpace($0) && $0 != ASCII.slash && $0 != ASCII.greaterThan }
        var attributes: [String: String] = [:]
        while true {
            _ = taken { ASCII.isWhiteSpace($0) || $0 == ASCII.slash }
            guard let next = rest.first else { return nil }
            if next == ASCII.greaterThan { break }
            let name = taken {
                !ASCII.isWhiteSpace($0) && $0 != ASCII.equals && $0 != ASCII.greaterThan && $0 != ASCII.slash
            }
            skipSpace()
            guard starts(with: "=") else { throw broken }
            rest.removeFirst()
            skipSpace()
            guard let value = try takenQuoted(), !value.contains(ASCII.lessThan) else { throw broken }
            attributes[name.lowercasedText] = try expanded(value)
        }
        rest.removeFirst()
        let parts = name.split(separator: ASCII.colon, maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? parts[0].lowercasedText : ""
        return Tag(prefix: prefix, name: parts.last?.lowercasedText ?? "", attributes: attributes)
    }

    /// Text with its references expanded.
    mutating func expanded(_ text: ArraySlice<UInt8>) throws(Problem) -> String {
        var expanded: [UInt8] = []
        var rest = text
        while let ampersand = rest.firstIndex(of: ASCII.ampersand) {
            expanded += rest[..<ampersand]
            guard let end = rest[ampersand...].firstIndex(of: ASCII.semicolon) else { throw broken }
            let name = rest[(ampersand + 1)..<end]
            if name.first == ASCII.hash {
                expanded += CharacterReferences.decoded(rest[ampersand...end]).utf8
            } else {
                let name = String(decoding: name, as: UTF8.self)
                guard let value = entities[name] else {
                    throw .rejected("its entity \(name.quoted) is declared nowhere; save it without")
                }
                expandedCount += value.count
                guard expandedCount <= PageIcon.maximumSize else {
                    throw .rejected("its entities make more than \(PageIcon.maximumSize) bytes; save it without them")
                }
                expanded += value
            }
            rest = rest[(end + 1)...]
        }
        return String(decoding: expanded + rest, as: UTF8.self)
    }

    var broken: Problem { .rejected("it is not well-formed; save it again") }
}

// MARK: Bytes

private extension SVGReader {
    func starts(with text: String) -> Bool { rest.starts(with: text.utf8) }

    mutating func skipSpace() { rest = rest.drop(while: ASCII.isWhiteSpace) }

    mutating func taken(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Takes everything up to and including a text.
    mutating func taken(to end: String) throws(Problem) -> ArraySlice<UInt8> {
        guard let end = rest.firstRange(of: end.utf8)?.upperBound else { throw .notSVG }
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// Takes a text in quotation marks or apostrophes, without them; `nil` if there is no such mark.
    mutating func takenQuoted() throws(Problem) -> ArraySlice<UInt8>? {
        guard let quote = rest.first, quote == ASCII.quote || quote == ASCII.apostrophe else { return nil }
        rest.removeFirst()
        guard let end = rest.firstIndex(of: quote) else { throw .notSVG }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }
}
