import ReferralSiteCheck
import UnlockCatalog

/// The record types in a text in CloudKit's schema language.
struct CloudSchema {
    struct Field {
        let name: Name
        /// In upper case, with single spaces.
        let type: String
        /// In upper case.
        let indexes: Set<Name>
        let offset: Int
    }

    struct Grant {
        /// In upper case.
        let rights: Set<Name>
        let role: Name
        let offset: Int
    }

    struct RecordType {
        let name: Name
        var fields: [Field] = []
        var grants: [Grant] = []
        let offset: Int
    }

    /// A place in the text, and what is wrong there.
    struct Problem: Error {
        let offset: Int
        let message: Sentence

        func position(in bytes: [UInt8]) -> String {
            var positions = TextPositions(bytes)
            let (line, column) = positions.position(at: offset)
            return "\(line):\(column)"
        }
    }

    private(set) var recordTypes: [RecordType] = []

    /// Reads a schema.
    ///
    /// - Throws: The first place that isn't part of one.
    init(_ bytes: [UInt8]) throws(Problem) {
        var reader = try SchemaReader(bytes)
        try reader.expect("DEFINE")
        try reader.expect("SCHEMA")
        while !reader.isAtEnd {
            if reader.skip("CREATE") {
                try reader.expect("ROLE")
                _ = try reader.name()
            } else {
                try reader.expect("RECORD")
                try reader.expect("TYPE")
                recordTypes.append(try reader.recordType())
            }
            try reader.expect(";")
        }
    }
}

/// Reads the words of a schema.
private struct SchemaReader {
    private struct Token {
        let text: String
        let offset: Int
        /// Whether it is a name in quotation marks, which is never a keyword.
        var isQuoted = false

        func isKeyword(_ word: String) -> Bool { !isQuoted && Name(text.asciiUppercased) == Name(word) }
    }

    private static let indexes: Set<Name> = ["QUERYABLE", "SORTABLE", "SEARCHABLE"]

    private var tokens: ArraySlice<Token> = []
    private let end: Int

    var isAtEnd: Bool { tokens.isEmpty }

    mutating func skip(_ word: String) -> Bool {
        guard tokens.first?.isKeyword(word) == true else { return false }
        tokens.removeFirst()
        return true
    }

    mutating func expect(_ word: String) throws(CloudSchema.Problem) {
        guard skip(word) else { throw problem("expected \(name: word)") }
    }

    mutating func name() throws(CloudSchema.Problem) -> Name {
        guard let token = tokens.first, token.isQuoted || Self.isWord(token.text) else {
            throw problem("expected a name")
        }
        return Name(tokens.removeFirst().text)
    }

    mutating func recordType() throws(CloudSchema.Problem) -> CloudSchema.RecordType {
        let offset = tokens.first?.offset ?? end
        var type = CloudSchema.RecordType(name: try name(), offset: offset)
        try expect("(")
        repeat {
            if tokens.first?.isKeyword("GRANT") == true {
                type.grants.append(try grant())
            } else {
                type.fields.append(try field())
            }
        } while skip(",")
        try expect(")")
        return type
    }

    private mutating func grant() throws(CloudSchema.Problem) -> CloudSchema.Grant {
        let offset = tokens.removeFirst().offset
        var rights: Set<Name> = []
        repeat { rights.insert(Name(try name().rawValue.asciiUppercased)) } while skip(",")
        try expect("TO")
        return CloudSchema.Grant(rights: rights, role: try name(), offset: offset)
    }

    private mutating func field() throws(CloudSchema.Problem) -> CloudSchema.Field {
        let offset = tokens.first?.offset ?? end
        let name = try name()
        var words: [String] = []
        while let token = tokens.first, !token.isQuoted,
            Self.isWord(token.text) || token.text == "<" || token.text == ">"
        {
            words.append(tokens.removeFirst().text.asciiUppercased)
        }
        let type = words.filter { !Self.indexes.contains(Name($0)) }
        guard !type.isEmpty else { throw problem("expected the type of the field \(name: name.rawValue)") }
        return CloudSchema.Field(
            name: name,
            type: type.joined(separator: " "),
            indexes: Self.indexes.intersection(words.map { Name($0) }),
            offset: offset
        )
    }

    private func problem(_ message: Sentence) -> CloudSchema.Problem {
        CloudSchema.Problem(offset: tokens.first?.offset ?? end, message: "\(message), in CloudKit's schema language")
    }

    // MARK: Tokens

    private static func isWord(_ text: String) -> Bool { text.utf8.allSatisfy(isWord) }

    private static func isWord(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.underscore
    }

    init(_ bytes: [UInt8]) throws(CloudSchema.Problem) {
        end = bytes.count
        var rest = bytes[...]
        if rest.starts(with: RowInput.byteOrderMark) { rest = rest.dropFirst(RowInput.byteOrderMark.count) }
        while let first = rest.first {
            let offset = rest.startIndex
            if ASCII.isWhiteSpace(first) {
                rest = rest.dropFirst()
            } else if rest.starts(with: "--".utf8) || rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
            } else if rest.starts(with: "/*".utf8) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else if first == ASCII.quote {
                let name = rest.dropFirst().prefix { $0 != ASCII.quote && $0 != ASCII.lineFeed }
                rest = rest[name.endIndex...]
                guard rest.first == ASCII.quote else {
                    throw CloudSchema.Problem(offset: offset, message: "the name has no quotation mark at its end")
                }
                rest = rest.dropFirst()
                tokens.append(Token(text: String(decoding: name, as: UTF8.self), offset: offset, isQuoted: true))
            } else {
                let word = rest.prefix(while: Self.isWord)
                let token = word.isEmpty ? rest.prefix(1) : word
                tokens.append(Token(text: String(decoding: token, as: UTF8.self), offset: offset))
                rest = rest[token.endIndex...]
            }
        }
    }
}

private extension String {
    /// The text with ASCII letters in upper case.
    var asciiUppercased: String {
        String(decoding: utf8.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & ~0x20 : $0 }, as: UTF8.self)
    }
}
