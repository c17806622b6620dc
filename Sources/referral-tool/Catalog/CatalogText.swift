import ReferralBridge
import UnlockCatalog

/// The text of a catalog, for the places and values of its errors.
struct CatalogText {
    /// The place of a member or an entry, or the place where it is missing.
    struct Place {
        let offset: Int
        /// The value in the text, shortened to one line; `nil` if it is missing.
        var value: String?
    }

    /// A member of an object, or an element of an array without its name.
    struct Member {
        let name: String
        let offset: Int
        let value: Range<Int>
        /// The value, if it is a string.
        let string: String?
    }

    private static let maximumValue = 60

    private let bytes: [UInt8]
    private var entries: [Catalog.Rejection.List: [Range<Int>]] = [:]

    /// The range of the text, which is one object.
    var whole: Range<Int> { 0..<bytes.count }

    func entries(of list: Catalog.Rejection.List) -> [Range<Int>] { entries[list] ?? [] }

    /// Whether the text begins with a byte order mark, which isn't JSON.
    var hasByteOrderMark: Bool { bytes.starts(with: "\u{FEFF}".utf8) }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // If a list is repeated, the last one counts.
        for member in members(of: whole) {
            switch member.name {
            case "items": entries[.item] = elements(of: member.value).map(\.value)
            case "rewards": entries[.reward] = elements(of: member.value).map(\.value)
            case "sections": entries[.section] = elements(of: member.value).map(\.value)
            default: break
            }
        }
    }

    /// The place of the error in a rejected entry.
    func place(of rejection: Catalog.Rejection) -> Place {
        guard let list = entries[rejection.list], list.indices.contains(rejection.index) else {
            return Place(offset: 0)
        }
        return place(of: rejection.wrongMember, in: list[rejection.index])
    }

    /// The place of an invalid member in an object, by default in the catalog itself.
    func place(of member: Catalog.WrongMember, in object: Range<Int>? = nil) -> Place {
        let object = object ?? start..<bytes.count
        guard let wrong = member.name else { return Place(offset: object.lowerBound, value: text(in: object)) }
        guard let member = members(of: object).last(where: { $0.name == wrong }) else {
            return Place(offset: object.lowerBound)
        }
        return Place(offset: member.offset, value: text(in: member.value))
    }

    /// The place and reason of a syntax error; `nil` if the text is a JSON object.
    var syntaxError: (offset: Int, message: String)? {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch {
                return (reader.position, message(on: error, at: reader.position))
            }
            return nil
        }
    }

    private func message(on error: JSONError, at offset: Int) -> String {
        guard error != .nestedTooDeeply else { return "the JSON has more than 64 levels of nesting" }
        guard error != .loneSurrogate else { return "an escape before this is half of a character" }
        guard start < bytes.count else { return "it is empty; a catalog is a JSON object" }
        guard !hasByteOrderMark else {
            return "the file begins with a byte order mark, which isn't JSON; save the file without one"
        }
        guard offset < bytes.count else { return "the JSON ends too early" }
        guard offset > start else { return "a catalog is a JSON object, which begins with {" }
        let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        return "the JSON is wrong here: \(String(character).quoted) isn't expected"
    }

    /// The first byte that isn't white space.
    private var start: Int { bytes.firstIndex { !ASCII.isWhiteSpace($0) } ?? bytes.count }

    private func text(in range: Range<Int>) -> String {
        let words = String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ").unicodeScalars
        return line.count > Self.maximumValue ? String(line.prefix(Self.maximumValue)) + "…" : String(line)
    }
}

// MARK: - Ranges in the text

extension CatalogText {
    func isArray(_ range: Range<Int>) -> Bool { bytes[range].first == UInt8(ascii: "[") }

    func members(of object: Range<Int>) -> [Member] {
        bytes.withUnsafeBufferPointer { bytes in
            var members: [Member] = []
            var reader = JSONReader(bytes, object)
            try? reader.readObject { members.append(Member(name: $0.content, offset: $0.range.lowerBound, $1)) }
            return members
        }
    }

    func elements(of array: Range<Int>) -> [Member] {
        bytes.withUnsafeBufferPointer { bytes in
            var elements: [Member] = []
            var reader = JSONReader(bytes, array)
            try? reader.readArray { elements.append(Member(name: "", offset: $0.range.lowerBound, $0)) }
            return elements
        }
    }
}

private extension CatalogText.Member {
    init(name: String, offset: Int, _ value: JSONValue) {
        self.init(name: name, offset: offset, value: value.range, string: value.string)
    }
}
