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
            if let row = scanner.next() { append(unchanged: row, to: &batch) }
        }
        try append(added.map { ($0, .string($0.rawValue)) }, isFirst: false, to: &batch)
        batch.output.append(lineEnd)
    }

    /// Appends a row of cells or an object, and the values after it.
    func append(_ row: Row, _ object: JSONRow?, adding added: [Added], to batch: inout Batch) throws(RowError) {
        begin(row, object, to: &batch)
        try append(added, isFirst: object?.members.isEmpty == true, to: &batch)
        end(row, object, to: &batch)
    }

    /// Appends a row of cells or an object up to an added text. The caller appends the text, and then the ``end(_:_:adding:from:isPlain:to:)``.
    func begin(_ row: Row, _ object: JSONRow?, adding name: Name, to batch: inout Batch) {
        begin(row, object, to: &batch)
        if let separator = to.separator {
            batch.output.append(separator)
        } else {
            append(member: name, isFirst: object?.members.isEmpty == true, to: &batch)
            batch.output.append(ASCII.quote)
        }
    }

    /// Ends a row after an added text, which becomes a cell or a string unless it is plain.
    func end(
        _ row: Row,
        _ object: JSONRow?,
        adding name: Name,
        from start: Int,
        isPlain: Bool,
        to batch: inout Batch
    ) throws(RowError) {
        if !isPlain {
            let text = String(decoding: batch.output.bytes[start...], as: UTF8.self)
            batch.output.truncate(to: start)
            if to.separator == nil {
                batch.output.append(String(JSONText.string(text).dropFirst().dropLast()))
            } else {
                try append(cell: text, of: name, to: &batch)
            }
        }
        if to.separator == nil { batch.output.append(ASCII.quote) }
        end(row, object, to: &batch)
    }
}

private extension RowWriter {
    /// Appends a row without its line end, or an object without its closing brace.
    func begin(_ row: Row, _ object: JSONRow?, to batch: inout Batch) {
        if let object {
            batch.output.append(object.opened)
        } else {
            append(unchanged: row, to: &batch)
        }
    }

    /// Appends the closing brace of an object, and the row's own line end.
    func end(_ row: Row, _ object: JSONRow?, to batch: inout Batch) {
        if let object { batch.output.append(object.closing) }
        if row.lineEnd.isEmpty { batch.output.append(lineEnd) } else { batch.output.append(row.lineEnd) }
    }

    /// Appends a row unchanged, except for the apostrophes before formulas.
    func append(unchanged row: Row, to batch: inout Batch) {
        guard to.separator != nil else { return batch.output.append(row.bytes) }
        if guardsFormulas {
            Formulas.append(guarded: row, to: &batch.output)
        } else {
            batch.counts.formulas += Formulas.count(in: row)
            batch.output.append(row.bytes)
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
