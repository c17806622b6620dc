import UnlockCatalog

/// A row of JSON lines.
struct JSONRow {
    typealias Member = (name: Name, value: CellValue)

    let members: [Member]

    /// The line up to the closing brace, before which members can be added.
    let opened: Bytes
    /// The closing brace and the rest of the line.
    let closing: Bytes

    init(_ line: Bytes) throws(RowError) {
        guard line.text != nil else { throw .notUTF8 }
        do throws(JSONError) {
            members = try Self.members(of: line)
        } catch {
            let isTooDeep = error == .nestedTooDeeply
            throw RowError(isTooDeep ? "the row has more than 64 levels of nesting" : "the row is not a JSON object")
        }
        if let member = members.first(where: { Columns.isTooLong($0.name) }) {
            throw RowError(member.name, Columns.tooLongName)
        }
        let end = line.lastIndex(of: ASCII.closeBrace) ?? line.endIndex
        let content = line.part(0..<end)
        // White space in an empty object isn't kept, so that a brace shows that a member is the first one.
        opened = members.isEmpty ? content.part(0..<(content.lastIndex(of: ASCII.openBrace) ?? 0) + 1) : content
        closing = line.part(end..<line.count)
    }

    /// The members of an object, in order.
    static func members(of object: Bytes) throws(JSONError) -> [Member] {
        var members: [Member] = []
        var reader = JSONReader(object)
        try reader.readObject { name, value in
            members.append((Name(name.content), CellValue(value)))
        }
        return members
    }
}

/// The value of a member, or of a cell.
enum CellValue {
    case string(String)
    case null
    /// The JSON of a number, an object, an array, `true` or `false`.
    case other(String)

    fileprivate init(_ value: JSONValue) {
        self = value.isNull ? .null : value.string.map(CellValue.string) ?? .other(value.text)
    }

    var cell: String {
        switch self {
        case .string(let text), .other(let text): text
        case .null: ""
        }
    }
}
