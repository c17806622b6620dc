import UnlockCatalog

/// A JSON text, with the places of its values.
struct JSONPlaces {
    /// A member of an object, or an element of an array without a name.
    struct Member {
        let name: Name
        /// The range of the name; of an element, that of the value.
        let key: Range<Int>
        let value: Range<Int>
        /// The value, if it is a string.
        let string: String?
        /// The value, if it is a whole number.
        let number: Int?

        var offset: Int { key.lowerBound }
    }

    private static let maximumValue = 60

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The range of the text, which is one object.
    var whole: Range<Int> { 0..<bytes.count }

    /// The first byte that isn't white space.
    var start: Int { bytes.firstIndex { !ASCII.isWhiteSpace($0) } ?? bytes.count }

    func isArray(_ range: Range<Int>) -> Bool { bytes[range].first == ASCII.openBracket }

    func isObject(_ range: Range<Int>) -> Bool { bytes[range].first == ASCII.openBrace }

    /// The value in the text, shortened to one line.
    func text(in range: Range<Int>) -> String {
        let words = String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ").unicodeScalars
        return line.count > Self.maximumValue ? String(line.prefix(Self.maximumValue)) + "…" : String(line)
    }

    func members(of object: Range<Int>) -> [Member] {
        bytes.withUnsafeBufferPointer { bytes in
            var members: [Member] = []
            var reader = JSONReader(bytes, object)
            try? reader.readObject { members.append(Member(name: Name($0.content), key: $0.range, $1)) }
            return members
        }
    }

    /// A member of an object. If the name is repeated, the last member counts.
    func member(_ name: Name, of object: Range<Int>) -> Member? { members(of: object).last { $0.name == name } }

    func elements(of array: Range<Int>) -> [Member] {
        bytes.withUnsafeBufferPointer { bytes in
            var elements: [Member] = []
            var reader = JSONReader(bytes, array)
            try? reader.readArray { elements.append(Member(name: "", key: $0.range, $0)) }
            return elements
        }
    }

    /// The place and reason of a syntax error; `nil` if the text is a JSON object. The kind of file is one such as "a catalog".
    func syntaxError(in kind: String) -> (offset: Int, message: Sentence)? {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch {
                return (reader.position, message(on: error, at: reader.position, in: kind))
            }
            return nil
        }
    }

    private func message(on error: JSONError, at offset: Int, in kind: String) -> Sentence {
        guard error != .nestedTooDeeply else { return "the JSON has more than 64 levels of nesting" }
        guard error != .loneSurrogate else { return "an escape before this is half of a character" }
        guard start < bytes.count else { return "it is empty; \(name: kind) is a JSON object" }
        guard !bytes.starts(with: "\u{FEFF}".utf8) else {
            return "the file begins with a byte order mark, which isn't JSON; save the file without one"
        }
        guard offset < bytes.count else { return "the JSON ends too early" }
        guard offset > start else { return "\(name: kind) is a JSON object, which begins with {" }
        let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        return "the JSON is wrong here: \(quoted: String(character)) isn't expected"
    }
}

private extension JSONPlaces.Member {
    init(name: Name, key: Range<Int>, _ value: JSONValue) {
        self.init(name: name, key: key, value: value.range, string: value.string, number: value.wholeNumber)
    }
}
