/// The format of a table or a list.
enum RowFormat: String, CaseIterable {
    /// RFC 4180: cells with a comma, a quotation mark or a line break are in quotation marks.
    case csv
    /// CSV with tabs, as in cells copied from a spreadsheet and in its tab-delimited text.
    case tsv
    /// CSV with semicolons, as spreadsheets save it in regions with decimal commas.
    case csvWithSemicolons = "csv with semicolons"
    /// One JSON object per line.
    case jsonl
    /// One text per line.
    case txt
    /// One `<a>` element per line.
    case html

    /// The separator of cells; `nil` for a format without cells.
    var separator: UInt8? {
        switch self {
        case .csv: ASCII.comma
        case .tsv: ASCII.tab
        case .csvWithSemicolons: ASCII.semicolon
        case .jsonl, .txt, .html: nil
        }
    }

    /// The format of a file by its name.
    init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        let endings: [String: Self] = ["csv": .csv, "tsv": .tsv, "tab": .tsv, "jsonl": .jsonl, "ndjson": .jsonl]
        guard let point = name.lastIndex(of: "."),
            let format = endings[name[point...].dropFirst().lowercased()]
        else { return nil }
        self = format
    }

    /// The form of CSV by its first line: commas separate the cells. If the line has none outside of quotation marks, tabs do. If it has
    /// no tabs either, semicolons do. Returns `nil` if the line doesn't end in these bytes.
    static func csv(firstLine bytes: Bytes, isWhole: Bool) -> RowFormat? {
        let forms: [RowFormat] = [.csv, .tsv, .csvWithSemicolons]
        var (isQuoted, isStart, isEnd) = (false, true, isWhole)
        var found: [UInt8] = []
        for byte in bytes {
            if byte == ASCII.quote, isQuoted || isStart {
                // Behind a closing mark, another one means that both are text. Within other cells, a mark is text.
                (isQuoted, isStart) = (!isQuoted, isQuoted)
            } else if !isQuoted {
                isEnd = isEnd || byte == ASCII.lineFeed
                if byte == ASCII.lineFeed { break }
                isStart = forms.contains { $0.separator == byte }
                if isStart, !found.contains(byte) { found.append(byte) }
            }
        }
        return isEnd ? forms.first { $0.separator.map(found.contains) == true } ?? .csv : nil
    }

    /// Text as a cell, in quotation marks if it needs them.
    func cell(_ text: String) -> String {
        var buffer = ByteBuffer(capacity: text.utf8.count + 2)
        text.withUTF8Bytes { append(cell: $0, to: &buffer) }
        return buffer.bytes.string
    }

    /// Appends text as a cell, in quotation marks if it needs them.
    func append(cell text: Bytes, to buffer: inout ByteBuffer) {
        func has(_ byte: UInt8) -> Bool { text.firstIndex(of: byte, in: text.indices) != nil }
        guard has(separator ?? ASCII.comma) || has(ASCII.quote) || has(ASCII.lineFeed) || has(ASCII.carriageReturn)
        else { return buffer.append(text) }
        buffer.append(ASCII.quote)
        for byte in text {
            buffer.append(byte)
            if byte == ASCII.quote { buffer.append(byte) }
        }
        buffer.append(ASCII.quote)
    }
}

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
