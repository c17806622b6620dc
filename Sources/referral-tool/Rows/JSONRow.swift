import ReferralBridge

/// A row of JSON lines.
struct JSONRow {
    typealias Member = (name: String, value: JSONValue)

    let members: [Member]

    /// The line before the closing brace, where members can be added.
    let opened: Bytes
    /// The closing brace and the rest of the line.
    let closing: Bytes

    init(_ line: Bytes) throws(RowError) {
        guard line.text != nil else { throw .notUTF8 }
        do throws(ReferralError) {
            members = try Self.members(of: line)
        } catch {
            let isTooDeep = error == .nestedTooDeeply
            throw RowError(isTooDeep ? "the row is nested more than 64 deep" : "the row is not a JSON object")
        }
        let end = line.lastIndex(of: ASCII.closeBrace) ?? line.endIndex
        opened = line.part(0..<end)
        closing = line.part(end..<line.count)
    }

    /// The members of an object, in order.
    static func members(of object: Bytes) throws(ReferralError) -> [Member] {
        var members: [Member] = []
        var reader = JSONReader(object)
        try reader.readObject { name, value, reader throws(ReferralError) in
            members.append((reader.content(of: name), JSONValue(value, reader, object)))
        }
        return members
    }
}

/// The value of a member, or of a cell.
enum JSONValue {
    case string(String)
    case null
    /// The text of a number, an object, an array, `true` or `false`.
    case other(String)

    fileprivate init(_ value: JSONReader.Value, _ reader: JSONReader, _ bytes: Bytes) {
        switch value {
        case .string(let text): self = .string(reader.content(of: text))
        case .other(let range) where bytes.holds("null", at: range.lowerBound): self = .null
        case .number(let range), .other(let range): self = .other(String(decoding: bytes.part(range), as: UTF8.self))
        }
    }

    var cell: String {
        switch self {
        case .string(let text), .other(let text): text
        case .null: ""
        }
    }

    var json: String {
        switch self {
        case .string(let text): JSONText.string(text)
        case .null: "null"
        case .other(let text): text
        }
    }
}
