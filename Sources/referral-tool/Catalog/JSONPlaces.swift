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

        init(_ name: JSONValue?, _ value: JSONValue) {
            self.name = Name(name?.content ?? "")
            key = name?.range ?? value.range
            (self.value, string, number) = (value.range, value.string, value.wholeNumber)
        }
    }

    private static let maximumValue = 60

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The range of the text, which is one object.
    var whole: Range<Int> { (bytes.firstIndex { !ASCII.isWhiteSpace($0) } ?? bytes.count)..<bytes.count }

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
            try? reader.readObject { members.append(Member($0, $1)) }
            return members
        }
    }

    /// A member of an object. If the name is repeated, the last member counts.
    func member(_ name: Name, of object: Range<Int>) -> Member? { members(of: object).last { $0.name == name } }

    /// The elements of an array that is a member of an object.
    func elements(of name: Name, in object: Range<Int>) -> [Member] {
        guard let array = member(name, of: object)?.value else { return [] }
        return bytes.withUnsafeBufferPointer { bytes in
            var elements: [Member] = []
            var reader = JSONReader(bytes, array)
            try? reader.readArray { elements.append(Member(nil, $0)) }
            return elements
        }
    }

    /// The place and the reason of a syntax error; `nil` if the text is a JSON object.
    var syntaxError: (offset: Int, message: Sentence)? {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch {
                return (reader.position, message(on: error, at: reader.position))
            }
            return nil
        }
    }

    private func message(on error: JSONError, at offset: Int) -> Sentence {
        if error == .nestedTooDeeply { return "the JSON has more than 64 levels of nesting" }
        if error == .loneSurrogate { return "an escape before this is half of a character" }
        guard !whole.isEmpty else { return "it is empty; a catalog is a JSON object" }
        guard !bytes.starts(with: RowInput.byteOrderMark) else {
            return "the file begins with a byte order mark, which isn't JSON; save the file without one"
        }
        guard offset < bytes.count else { return "the JSON ends too early" }
        guard offset > whole.lowerBound else { return "a catalog is a JSON object, which begins with {" }
        let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        return "the JSON is wrong here: \(quoted: String(character)) isn't expected"
    }
}
