import UnlockCatalog

/// Writes rows unchanged, with a text added at the end.
struct RowWriter: Sendable {
    let from: RowFormat
    let to: RowFormat
    /// The columns of the input; `nil` for JSON lines and lines of text.
    let columns: Columns?

    var names: [Name] { columns?.names ?? [] }

    private var lineEnd: [UInt8] { columns?.lineEnd ?? [ASCII.lineFeed] }

    /// The first line, if the output has one: the columns and the added column.
    func header(adding added: [Name]) -> String {
        guard let columns, let separator = to.separator else { return "" }
        let cells = added.map { String(UnicodeScalar(separator)) + $0.rawValue }.joined()
        return columns.mark + String(decoding: columns.header, as: UTF8.self) + cells
            + String(decoding: lineEnd, as: UTF8.self)
    }

    /// Appends a row or an object, and a text after it. If the text is plain, it is the same in any table and in JSON.
    func append(
        _ row: Row,
        _ object: JSONRow?,
        adding name: Name,
        _ text: Bytes,
        isPlain: Bool,
        to output: inout ByteBuffer
    ) {
        output.append(object?.opened ?? row.bytes)
        if let separator = to.separator {
            output.append(separator)
            if isPlain { output.append(text) } else { output.append(to.cell(text.string)) }
        } else {
            if output.bytes.last != ASCII.openBrace { output.append(ASCII.comma) }
            output.append(JSONText.string(name.rawValue) + ":")
            JSONText.append(quoting: text, isPlain: isPlain, to: &output)
        }
        if let object { output.append(object.closing) }
        if row.lineEnd.isEmpty { output.append(lineEnd) } else { output.append(row.lineEnd) }
    }
}
