/// A row of JSON lines.
struct JSONRow {
    /// The members in order. Their values are views of the line.
    let members: [(name: Name, value: JSONValue)]

    /// The line up to the closing brace, before which members can be added.
    let opened: Bytes
    /// The closing brace and the rest of the line.
    let closing: Bytes

    init(_ line: Bytes) throws(RowError) {
        guard line.text != nil else { throw RowError("the row is not UTF-8; save it as UTF-8") }
        var members: [(name: Name, value: JSONValue)] = []
        var reader = JSONReader(line)
        do throws(JSONError) { try reader.readObject { members.append((Name($0.content), $1)) } } catch {
            let isTooDeep = error == .nestedTooDeeply
            throw RowError(isTooDeep ? "the row has more than 64 levels of nesting" : "the row is not a JSON object")
        }
        self.members = members
        let end = line.lastIndex(of: ASCII.closeBrace) ?? line.endIndex
        let content = line.part(0..<end)
        // White space in an empty object isn't kept, so that a brace shows that a member is the first one.
        opened = members.isEmpty ? content.part(0..<(content.lastIndex(of: ASCII.openBrace) ?? 0) + 1) : content
        closing = line.part(end..<line.count)
    }
}
