import Catalogues
import ReferralBridge
import SiteCheck

/// The text of a catalogue: where it is wrong, and what is there.
struct CatalogueText {
    /// A member or an entry, or where it is missing.
    struct Place {
        let offset: Int
        /// The value as the text has it, shortened to one line; `nil` if it is missing.
        var value: String?
    }

    private static let maximumValue = 60

    private let bytes: [UInt8]
    private var entries: [Catalogue.Rejection.List: [Range<Int>]] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // If a list is repeated, the last one counts.
        for (name, value) in members(of: 0..<bytes.count) {
            switch name.text {
            case "items": entries[.item] = elements(of: value)
            case "rewards": entries[.reward] = elements(of: value)
            default: break
            }
        }
    }

    /// The place of what is wrong in a rejected entry.
    func place(of rejection: Catalogue.Rejection) -> Place {
        guard let list = entries[rejection.list], list.indices.contains(rejection.index) else {
            return Place(offset: 0)
        }
        return place(of: rejection.wrongMember, in: list[rejection.index])
    }

    /// The place of a wrong member in an object; by default, the catalogue's own.
    func place(of member: Catalogue.WrongMember, in object: Range<Int>? = nil) -> Place {
        let object = object ?? start..<bytes.count
        guard let wrong = member.name else { return Place(offset: object.lowerBound, value: text(in: object)) }
        guard let (name, value) = members(of: object).last(where: { $0.name.text == wrong }) else {
            return Place(offset: object.lowerBound)
        }
        return Place(offset: name.offset, value: text(in: value))
    }

    /// Where the text isn't a JSON object, and why; `nil` if it is one.
    var syntaxError: (offset: Int, message: String)? {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            do throws(ReferralError) { try reader.readObject { _, _, _ in } } catch {
                return (reader.position, message(on: error, at: reader.position))
            }
            return nil
        }
    }

    private func message(on error: ReferralError, at offset: Int) -> String {
        guard error != .nestedTooDeeply else { return "the JSON is nested more than 64 deep" }
        guard error != .loneSurrogate else { return "an escape before this is half of a character" }
        guard start < bytes.count else { return "there is nothing in it; a catalogue is a JSON object" }
        guard offset < bytes.count else { return "the JSON ends too early" }
        guard offset > start else { return "a catalogue is a JSON object, which begins with {" }
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

private extension CatalogueText {
    typealias Member = (name: (text: String, offset: Int), value: Range<Int>)

    func members(of object: Range<Int>) -> [Member] {
        bytes.withUnsafeBufferPointer { bytes in
            var members: [Member] = []
            var reader = JSONReader(UnsafeBufferPointer(rebasing: bytes[object]))
            try? reader.readObject { name, value, reader throws(ReferralError) in
                let offset = object.lowerBound + name.range.lowerBound - 1
                members.append(((reader.content(of: name), offset), Self.range(of: value, from: object.lowerBound)))
            }
            return members
        }
    }

    func elements(of array: Range<Int>) -> [Range<Int>] {
        bytes.withUnsafeBufferPointer { bytes in
            var elements: [Range<Int>] = []
            var reader = JSONReader(UnsafeBufferPointer(rebasing: bytes[array]))
            try? reader.readArray { value throws(ReferralError) in
                elements.append(Self.range(of: value, from: array.lowerBound))
            }
            return elements
        }
    }

    static func range(of value: JSONReader.Value, from start: Int) -> Range<Int> {
        switch value {
        case .string(let text): start + text.range.lowerBound - 1..<start + text.range.upperBound + 1
        case .number(let range), .other(let range): start + range.lowerBound..<start + range.upperBound
        }
    }
}
