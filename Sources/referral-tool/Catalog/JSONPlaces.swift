import UnlockCatalog

/// A JSON text, with the places of its values.
struct JSONPlaces {
    /// A member of an object.
    struct Member {
        let name: Name
        let key: Range<Int>
        let value: Range<Int>
        /// The value, if it is a string.
        let string: String?
    }

    let bytes: [UInt8]

    /// The range of the text, which is one object.
    var whole: Range<Int> { (bytes.firstIndex { !ASCII.isWhiteSpace($0) } ?? bytes.count)..<bytes.count }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The value in the text, shortened to one line.
    func shown(_ range: Range<Int>) -> String {
        let line = string(range).split(whereSeparator: \.isWhitespace).joined(separator: " ").unicodeScalars
        return line.count > 60 ? String(line.prefix(60)) + "…" : String(line)
    }

    func members(of object: Range<Int>) -> [Member] {
        bytes.withUnsafeBufferPointer { bytes in
            var members: [Member] = []
            var reader = JSONReader(bytes, object)
            try? reader.readObject { name, value in
                members.append(
                    Member(name: Name(name.content), key: name.range, value: value.range, string: value.string)
                )
            }
            return members
        }
    }

    /// A member of an object. If the name is repeated, the last member counts.
    func member(_ name: Name, of object: Range<Int>) -> Member? { members(of: object).last { $0.name == name } }

    /// The elements of an array that is a member of an object.
    func elements(of name: Name, in object: Range<Int>) -> [Range<Int>] {
        guard let array = member(name, of: object)?.value else { return [] }
        return bytes.withUnsafeBufferPointer { bytes in
            var elements: [Range<Int>] = []
            var reader = JSONReader(bytes, array)
            try? reader.readArray { elements.append($0.range) }
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
        guard !bytes.starts(with: RowInput.byteOrderMark) else {
            return "the file begins with a byte order mark, which isn't JSON; save the file without one"
        }
        guard offset < bytes.count else { return "the JSON ends too early" }
        let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        let hint: Sentence = offset > whole.lowerBound ? "" : "; a catalog is a JSON object, which begins with {"
        return "the JSON is wrong here: \(quoted: String(character)) isn't expected\(hint)"
    }
}
