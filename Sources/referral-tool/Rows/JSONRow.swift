import ReferralBridge

/// A row of JSON lines.
struct JSONRow {
    struct Member {
        let name: String
        let value: Value
    }

    enum Value {
        case string(String)
        case null
        /// The text of a number, an object, an array, `true` or `false`.
        case other(Bytes)

        /// The value as a cell.
        var cell: String {
            switch self {
            case .string(let text): text
            case .null: ""
            case .other(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }
    }

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
            members.append(Member(name: reader.content(of: name), value: Self.value(value, reader, object)))
        }
        return members
    }

    private static func value(_ value: JSONReader.Value, _ reader: JSONReader, _ bytes: Bytes) -> Value {
        switch value {
        case .string(let text): .string(reader.content(of: text))
        case .number(let range): .other(bytes.part(range))
        case .other(let range): bytes.holds("null", at: range.lowerBound) ? .null : .other(bytes.part(range))
        }
    }
}
