import UnlockCatalog

/// Writes rows unchanged, with added values at the end.
struct RowWriter: Sendable {
    /// A value that is added to a row.
    typealias Added = (name: Name, value: CellValue)

    let from: RowFormat
    let to: RowFormat

    /// The columns of the input; `nil` for JSON lines and lines of text.
    let columns: Columns?

    /// Whether an apostrophe is put before formulas. Otherwise they are counted.
    let guardsFormulas: Bool

    /// The line end of new lines.
    private let lineEnd: [UInt8]

    init(from: RowFormat, to: RowFormat, columns: Columns?, guardsFormulas: Bool) {
        self.from = from
        self.to = to
        self.columns = columns
        self.guardsFormulas = guardsFormulas
        lineEnd = columns?.lineEnd ?? [ASCII.lineFeed]
    }

    var names: [Name] { columns?.names ?? [] }

    /// Appends the first line, if the output has one: the columns and the added columns.
    func appendHeader(adding added: [Name], to batch: inout Batch) throws(RowError) {
        guard let columns, let header = columns.header, to.separator != nil else { return }
        batch.output.append(columns.mark)
        header.withUnsafeBufferPointer { header in
            var scanner = RowScanner(header, format: from)
            if let row = scanner.next() { append(unchanged: row, of: scanner, to: &batch) }
        }
        try append(added.map { ($0, .string($0.rawValue)) }, isFirst: false, to: &batch)
        batch.output.append(lineEnd)
    }

    /// Appends a row of cells or an object, and the values after it.
    func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        _ object: JSONRow?,
        adding added: [Added],
        to batch: inout Batch
    ) throws(RowError) {
        append(beginning: row, of: scanner, object, to: &batch)
        try append(added, isFirst: object?.members.isEmpty == true, to: &batch)
        append(endOf: row, of: scanner, object, to: &batch)
    }

    /// Appends a row of cells or an object, and a text after it.
    func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        _ object: JSONRow?,
        adding name: Name,
        _ text: Bytes,
        to batch: inout Batch
    ) throws(RowError) {
        append(beginning: row, of: scanner, object, to: &batch)
        if let separator = to.separator {
            batch.output.append(separator)
            try append(cell: text, of: name, to: &batch)
        } else {
            append(member: name, isFirst: object?.members.isEmpty == true, to: &batch)
            JSONText.append(quoting: text, to: &batch.output)
        }
        append(endOf: row, of: scanner, object, to: &batch)
    }
}

private extension RowWriter {
    /// Appends a row without its line end, or an object without its closing brace.
    func append(
        beginning row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        _ object: JSONRow?,
        to batch: inout Batch
    ) {
        if let object {
            batch.output.append(object.opened)
        } else {
            append(unchanged: row, of: scanner, to: &batch)
        }
    }

    /// Appends the closing brace of an object, and the row's own line end.
    func append(
        endOf row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        _ object: JSONRow?,
        to batch: inout Batch
    ) {
        if let object { batch.output.append(object.closing) }
        let end = row.range.upperBound..<scanner.position
        if end.isEmpty { batch.output.append(lineEnd) } else { batch.output.append(scanner.bytes.part(end)) }
    }

    /// The number of formulas in a row that stays unchanged.
    func formulaCount(of row: RowScanner.Row, _ scanner: borrowing RowScanner) -> Int {
        to.separator == nil ? 0 : Formulas.count(in: scanner.cells, of: scanner.bytes, row: row.range)
    }

    /// Appends a row unchanged, except for the apostrophes before formulas.
    func append(unchanged row: RowScanner.Row, of scanner: borrowing RowScanner, to batch: inout Batch) {
        if guardsFormulas {
            Formulas.append(guarded: row.range, scanner.cells, of: scanner.bytes, to: &batch.output)
        } else {
            batch.counts.formulas += formulaCount(of: row, scanner)
            batch.output.append(scanner.bytes.part(row.range))
        }
    }

    func append(_ added: [Added], isFirst: Bool, to batch: inout Batch) throws(RowError) {
        for (index, (name, value)) in added.enumerated() {
            if let separator = to.separator {
                batch.output.append(separator)
                try append(cell: value.cell, of: name, to: &batch)
            } else {
                append(member: name, isFirst: isFirst && index == 0, to: &batch)
                batch.output.append(value.json)
            }
        }
    }

    /// Appends the name of a member.
    func append(member name: Name, isFirst: Bool, to batch: inout Batch) {
        batch.output.append((isFirst ? "" : ",") + JSONText.string(name.rawValue) + ":")
    }

    func append(cell: String, of column: Name, to batch: inout Batch) throws(RowError) {
        try cell.withUTF8Bytes { cell throws(RowError) in try append(cell: cell, of: column, to: &batch) }
    }

    func append(cell: Bytes, of column: Name, to batch: inout Batch) throws(RowError) {
        // Many programs end the text there, or drop the character.
        guard cell.firstIndex(of: 0, in: cell.indices) == nil else {
            throw RowError(column, "a table can't contain the character NUL")
        }
        let isFormula = Formulas.isFormula(cell, in: to)
        if isFormula && guardsFormulas || to.isSpecial(cell) {
            let text = String(decoding: cell, as: UTF8.self)
            guard let text = to.cell(isFormula && guardsFormulas ? "'" + text : text) else {
                throw RowError(column, "TSV can't contain its tab or line break")
            }
            batch.output.append(text)
        } else {
            batch.output.append(cell)
        }
        if isFormula, !guardsFormulas { batch.counts.formulas += 1 }
    }
}

extension RowFormat {
    /// Text as a cell, in quotation marks if CSV needs them; `nil` if the format can't contain it.
    func cell(_ text: String) -> String? {
        guard text.withUTF8Bytes(isSpecial) else { return text }
        guard hasQuotes else { return nil }
        // Split at code points, because a `Character` may be a quotation mark with an accent.
        let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
    }

    /// Whether text can't be a cell as it is.
    func isSpecial(_ text: Bytes) -> Bool {
        guard let separator else { return false }
        func contains(_ byte: UInt8) -> Bool { text.firstIndex(of: byte, in: text.indices) != nil }
        return contains(separator) || contains(ASCII.lineFeed) || contains(ASCII.carriageReturn)
            || hasQuotes && contains(ASCII.quote)
    }
}
