/// Writes rows as they stood, or in another format, with values added at their end.
struct RowWriter: Sendable {
    /// A value to be added to a row.
    struct Added {
        let name: String
        let value: Value

        enum Value {
            case text(String)
            /// JSON text: a value in JSON lines, a text in a cell.
            case json(String)
            case nothing
        }

        /// The value in JSON.
        var json: String {
            switch value {
            case .text(let text): JSONText.string(text)
            case .json(let text): text
            case .nothing: "null"
            }
        }
    }

    let from: RowFormat
    let to: RowFormat

    /// The columns of the input, or of the output where only that has any.
    private let names: [String]
    private let places: [String: Int]

    /// What ends a line that was made here.
    private let lineEnd: [UInt8]

    init(from: RowFormat, to: RowFormat, columns: Columns?) {
        self.from = from
        self.to = to
        names = columns?.names ?? []
        places = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
        lineEnd = from == to ? columns?.lineEnd ?? [.lineFeed] : [.lineFeed]
    }

    /// The first line, where the output has one: the columns as they stood, and those that are added.
    func header(_ columns: Columns?, adding added: [String]) throws(RowError) -> [UInt8] {
        guard let header = columns?.header, let separator = to.separator else { return [] }
        var line = ByteBuffer(capacity: 256)
        if from == to {
            header.withUnsafeBufferPointer { line.append($0) }
        } else {
            try append(cells: names, to: &line)
        }
        for name in added {
            line.append(separator)
            try append(cell: name, of: name, to: &line)
        }
        return line.bytes + lineEnd
    }

    /// Appends a row of cells.
    func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        adding added: [Added],
        to output: inout ByteBuffer
    ) throws(RowError) {
        if from == to {
            output.append(scanner.bytes.part(row.range))
        } else {
            var cells: [String] = []
            for (index, cell) in scanner.cells.enumerated() {
                guard let text = scanner.value(of: cell).text else { throw RowError(names[index], "not UTF-8") }
                cells.append(text)
            }
            if to == .jsonl {
                let members = zip(names, cells).map { JSONText.string($0) + ":" + JSONText.string($1) }
                output.append("{" + members.joined(separator: ","))
            } else {
                try append(cells: cells, to: &output)
            }
        }
        try append(added, isFirst: false, to: &output)
        if to == .jsonl { output.append(UInt8(ascii: "}")) }
        append(lineEndOf: row, of: scanner, to: &output)
    }

    /// Appends an object.
    func append(
        _ object: JSONRow,
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        adding added: [Added],
        to output: inout ByteBuffer
    ) throws(RowError) {
        if to == .jsonl {
            output.append(object.opened)
        } else {
            var cells = [String](repeating: "", count: names.count)
            for member in object.members {
                guard let place = places[member.name] else {
                    throw RowError(member.name, "the first object has no such member, so there is no such column")
                }
                cells[place] = member.value.cell
            }
            try append(cells: cells, to: &output)
        }
        try append(added, isFirst: object.members.isEmpty, to: &output)
        if to == .jsonl { output.append(object.closing) }
        append(lineEndOf: row, of: scanner, to: &output)
    }

    /// Appends what a row is ended with: its own line end where it keeps its form.
    func append(lineEndOf row: RowScanner.Row, of scanner: borrowing RowScanner, to output: inout ByteBuffer) {
        let own = row.range.upperBound..<scanner.position
        if from == to, !own.isEmpty {
            output.append(scanner.bytes.part(own))
        } else {
            lineEnd.withUnsafeBufferPointer { output.append($0) }
        }
    }

    private func append(_ added: [Added], isFirst: Bool, to output: inout ByteBuffer) throws(RowError) {
        var isFirst = isFirst
        for added in added {
            if let separator = to.separator {
                output.append(separator)
                switch added.value {
                case .text(let text), .json(let text): try append(cell: text, of: added.name, to: &output)
                case .nothing: break
                }
            } else {
                output.append((isFirst ? "" : ",") + JSONText.string(added.name) + ":" + added.json)
                isFirst = false
            }
        }
    }

    private func append(cells: [String], to output: inout ByteBuffer) throws(RowError) {
        for (index, cell) in cells.enumerated() {
            if index > 0, let separator = to.separator { output.append(separator) }
            try append(cell: cell, of: names[index], to: &output)
        }
    }

    private func append(cell: String, of column: String, to output: inout ByteBuffer) throws(RowError) {
        guard let text = CellText.quoted(cell, for: to) else {
            throw RowError(column, "there is a tab or a line break in it, for which TSV has no room")
        }
        output.append(text)
    }
}

/// A text as a cell.
enum CellText {
    /// The text, in quotes where CSV needs them; `nil` where the format has no room for it.
    static func quoted(_ text: String, for format: RowFormat) -> String? {
        switch format {
        case .csv: needsQuotes(text) ? "\"" + doubled(text) + "\"" : text
        case .tsv: text.utf8.contains { [.tab, .lineFeed, .carriageReturn].contains($0) } ? nil : text
        case .jsonl, .txt, .html: text
        }
    }

    static func needsQuotes(_ text: String) -> Bool {
        text.utf8.contains { [.comma, .quote, .lineFeed, .carriageReturn].contains($0) }
    }

    /// Every quote twice. By code points: to `Character` a quote with an accent behind it is another letter.
    static func doubled(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { doubled, scalar in
            if scalar == "\"" { doubled += "\"" }
            doubled.unicodeScalars.append(scalar)
        }
    }
}
