import ReferralBridge

/// Writes rows unchanged or in another format, with added values at the end.
struct RowWriter: Sendable {
    /// A value that is added to a row.
    struct Added {
        let name: String
        let value: Value

        enum Value {
            case text(String)
            /// JSON, as a value in JSON lines and as text in a cell.
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

    /// Whether an apostrophe is put before formulas. Otherwise they are counted.
    let guardsFormulas: Bool

    /// The columns of the input, or those of the output if the input has none.
    private let names: [String]
    private let places: [String: Int]

    /// The line end of new lines.
    private let lineEnd: [UInt8]

    init(from: RowFormat, to: RowFormat, columns: Columns?, guardsFormulas: Bool) {
        self.from = from
        self.to = to
        self.guardsFormulas = guardsFormulas
        names = columns?.names ?? []
        places = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
        lineEnd = from == to ? columns?.lineEnd ?? [ASCII.lineFeed] : [ASCII.lineFeed]
    }

    /// The first line of the output.
    struct Header {
        var line: [UInt8] = []
        var formulaCount = 0
    }

    /// The first line, if the output has one: the columns, and those that are added.
    func header(_ columns: Columns?, adding added: [String]) throws(RowError) -> Header {
        guard let header = columns?.header, let separator = to.separator else { return Header() }
        var line = ByteBuffer(capacity: 256)
        var formulaCount = 0
        if from == to {
            formulaCount = append(header: header, to: &line)
        } else {
            formulaCount = try append(cells: names, to: &line)
        }
        for name in added {
            line.append(separator)
            formulaCount += try append(cell: name, of: name, to: &line)
        }
        return Header(line: line.bytes + lineEnd, formulaCount: formulaCount)
    }

    private func append(header: [UInt8], to line: inout ByteBuffer) -> Int {
        let mark = header.starts(with: "\u{FEFF}".utf8) ? Array("\u{FEFF}".utf8) : []
        mark.withUnsafeBufferPointer { line.append($0) }
        return header.withUnsafeBufferPointer { header in
            var scanner = RowScanner(header.part(mark.count..<header.count), format: from)
            return scanner.next().map { append($0, of: scanner, to: &line) } ?? 0
        }
    }

    /// Appends a row of cells. Returns the number of formulas.
    func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        adding added: [Added],
        to output: inout ByteBuffer
    ) throws(RowError) -> Int {
        var formulaCount = 0
        if from == to {
            formulaCount = append(row, of: scanner, to: &output)
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
                formulaCount = try append(cells: cells, to: &output)
            }
        }
        formulaCount += try append(added, isFirst: false, to: &output)
        if to == .jsonl { output.append(ASCII.closeBrace) }
        append(lineEndOf: row, of: scanner, to: &output)
        return formulaCount
    }

    /// Appends a row unchanged, except for the apostrophes before formulas.
    private func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        to output: inout ByteBuffer
    ) -> Int {
        guard guardsFormulas else {
            output.append(scanner.bytes.part(row.range))
            return formulaCount(of: row, scanner)
        }
        var start = row.range.lowerBound
        for cell in scanner.cells {
            for place in Formulas.places(in: cell, of: scanner.bytes) {
                output.append(scanner.bytes.part(start..<place))
                output.append(ASCII.apostrophe)
                start = place
            }
        }
        output.append(scanner.bytes.part(start..<row.range.upperBound))
        return 0
    }

    /// The number of formulas in a row that stays unchanged.
    func formulaCount(of row: RowScanner.Row, _ scanner: borrowing RowScanner) -> Int {
        guard from == to, to.separator != nil else { return 0 }
        return Formulas.count(in: scanner.cells, of: scanner.bytes, row: row.range)
    }

    /// Appends an object. Returns the number of formulas.
    func append(
        _ object: JSONRow,
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        adding added: [Added],
        to output: inout ByteBuffer
    ) throws(RowError) -> Int {
        var formulaCount = 0
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
            formulaCount = try append(cells: cells, to: &output)
        }
        formulaCount += try append(added, isFirst: object.members.isEmpty, to: &output)
        if to == .jsonl { output.append(object.closing) }
        append(lineEndOf: row, of: scanner, to: &output)
        return formulaCount
    }

    /// Appends a line end: the row's own if the format is the same.
    func append(lineEndOf row: RowScanner.Row, of scanner: borrowing RowScanner, to output: inout ByteBuffer) {
        let end = row.range.upperBound..<scanner.position
        if from == to, !end.isEmpty {
            output.append(scanner.bytes.part(end))
        } else {
            lineEnd.withUnsafeBufferPointer { output.append($0) }
        }
    }

    private func append(_ added: [Added], isFirst: Bool, to output: inout ByteBuffer) throws(RowError) -> Int {
        var isFirst = isFirst
        var formulaCount = 0
        for added in added {
            if let separator = to.separator {
                output.append(separator)
                switch added.value {
                case .text(let text), .json(let text):
                    formulaCount += try append(cell: text, of: added.name, to: &output)
                case .nothing: break
                }
            } else {
                output.append((isFirst ? "" : ",") + JSONText.string(added.name) + ":" + added.json)
                isFirst = false
            }
        }
        return formulaCount
    }

    private func append(cells: [String], to output: inout ByteBuffer) throws(RowError) -> Int {
        var formulaCount = 0
        for (index, cell) in cells.enumerated() {
            if index > 0, let separator = to.separator { output.append(separator) }
            formulaCount += try append(cell: cell, of: names[index], to: &output)
        }
        return formulaCount
    }

    private func append(cell: String, of column: String, to output: inout ByteBuffer) throws(RowError) -> Int {
        let isFormula = Formulas.isFormula(cell, in: to)
        guard let text = CellText.quoted(isFormula && guardsFormulas ? "'" + cell : cell, for: to) else {
            throw RowError(column, "TSV can't contain its tab or line break")
        }
        output.append(text)
        return isFormula && !guardsFormulas ? 1 : 0
    }
}

/// Text as a cell.
enum CellText {
    /// The text, in quotation marks if CSV needs them; `nil` if the format can't contain it.
    static func quoted(_ text: String, for format: RowFormat) -> String? {
        switch format {
        case .csv: needsQuotes(text) ? "\"" + doubled(text) + "\"" : text
        case .tsv: text.utf8.contains { [ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn].contains($0) } ? nil : text
        case .jsonl, .txt, .html: text
        }
    }

    static func needsQuotes(_ text: String) -> Bool {
        text.utf8.contains { [ASCII.comma, ASCII.quote, ASCII.lineFeed, ASCII.carriageReturn].contains($0) }
    }

    /// The text with each quotation mark doubled. It works on code points, because a `Character` may be a mark with an accent.
    static func doubled(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { doubled, scalar in
            if scalar == "\"" { doubled += "\"" }
            doubled.unicodeScalars.append(scalar)
        }
    }
}
