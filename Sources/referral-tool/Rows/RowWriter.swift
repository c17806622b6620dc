/// Writes rows unchanged, with a text added at the end.
struct RowWriter: Sendable {
    let from: RowFormat
    let to: RowFormat
    /// The columns of the input; `nil` for JSON lines and lines of text.
    let columns: Columns?
    /// The name of the added text.
    let added: Name

    var names: [Name] { columns?.names ?? [] }

    private var lineEnd: [UInt8] { columns?.lineEnd ?? [ASCII.lineFeed] }

    /// The first line, if the output has one: the columns and the added column.
    var header: String {
        guard let columns, let separator = to.separator else { return "" }
        let texts = [columns.header, [separator], Array(added.rawValue.utf8), columns.lineEnd]
        return columns.mark + String(decoding: texts.joined(), as: UTF8.self)
    }

    /// Appends a row or an object, and a text after it.
    func append(_ row: Row, _ object: JSONRow?, adding text: Bytes, to output: inout ByteBuffer) {
        output.append(object?.opened ?? row.bytes)
        if let separator = to.separator {
            output.append(separator)
            to.append(cell: text, to: &output)
        } else {
            if output.bytes.last != ASCII.openBrace { output.append(ASCII.comma) }
            output.append(JSONText.string(added.rawValue) + ":")
            JSONText.append(quoting: text, to: &output)
        }
        if let object { output.append(object.closing) }
        if row.lineEnd.isEmpty { output.append(lineEnd) } else { output.append(row.lineEnd) }
    }
}
