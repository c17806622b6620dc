import UnlockCatalog

/// Records the rejected rows, unchanged except for guarded formulas, each after its reason and the number of its line.
///
/// The reason comes first, so that it can be found even if the row is malformed.
struct BadRows: Sendable {
    let format: RowFormat
    /// Whether the rows are written to a file.
    let keepsRows: Bool
    /// Whether formulas get an apostrophe, except in a row that is too long.
    let guardsFormulas: Bool

    /// The name of an added column or member. `rejected.` is prepended until the name is unique.
    private static func name(_ name: Name, besides taken: some Sequence<Name>) -> String {
        let taken = Set(taken)
        var name = name
        while taken.contains(name) { name = Name("rejected." + name.rawValue) }
        return name.rawValue
    }

    /// The first line of the file.
    func header(_ columns: Columns?) -> String {
        guard let header = columns?.header, let columns, format.separator != nil else { return "" }
        let keys = columns.names.map(Columns.key)
        let added = ["reason", "line"].map { (name: Name) in cell(Self.name(name, besides: keys)) }.joined()
        return columns.mark + added + String(decoding: header + columns.lineEnd, as: UTF8.self)
    }

    func append(_ row: Row, _ error: RowError, to batch: inout Batch) {
        count(error, line: row.line, in: &batch)
        guard keepsRows else { return }
        let bytes = row.bytes
        if format != .jsonl {
            appendCells(error, line: row.line, to: &batch)
            if guardsFormulas {
                Formulas.append(guarded: row, to: &batch.rejects)
            } else {
                batch.rejects.append(bytes)
            }
        } else if let object = try? JSONRow(bytes), let brace = bytes.firstIndex(of: ASCII.openBrace) {
            appendMembers(error, line: row.line, besides: object.members.map(\.name), to: &batch)
            if !object.members.isEmpty { batch.rejects.append(ASCII.comma) }
            batch.rejects.append(bytes.part(brace + 1..<bytes.count))
        } else {
            appendMembers(error, line: row.line, besides: [], to: &batch)
            batch.rejects.append(",\"row\":\"\(JSONText.content(ofAnyBytes: bytes))\"}")
        }
        if row.lineEnd.isEmpty { batch.rejects.append(ASCII.lineFeed) } else { batch.rejects.append(row.lineEnd) }
    }

    /// Rejects a line that is longer than a row may be, a piece at a time.
    func append(piece: Bytes, isFirst: Bool, isLast: Bool, to batch: inout Batch) {
        if isFirst {
            batch.counts.rows += 1
            count(.tooLong, line: 0, in: &batch)
        }
        guard keepsRows else { return }
        if format != .jsonl {
            if isFirst { appendCells(.tooLong, line: 0, to: &batch) }
            batch.rejects.append(piece)
        } else {
            if isFirst {
                appendMembers(.tooLong, line: 0, besides: [], to: &batch)
                batch.rejects.append(",\"row\":\"" as StaticString)
            }
            batch.rejects.append(JSONText.content(ofAnyBytes: piece))
            if isLast { batch.rejects.append("\"}" as StaticString) }
        }
        if isLast { batch.rejects.append(ASCII.lineFeed) }
    }

    private func count(_ error: RowError, line: Int, in batch: inout Batch) {
        batch.counts.rejected += 1
        guard batch.reports.count < RowSink.maximumReports,
            !error.isAboutEncoding || !batch.reports.contains(where: \.error.isAboutEncoding)
        else { return }
        batch.reports.append((line, error))
    }

    /// Appends the cells of the reason and the line's number, before a row.
    private func appendCells(_ error: RowError, line: Int, to batch: inout Batch) {
        batch.rejects.append(cell(error.reason.text))
        batch.rejectedLines.append((batch.rejects.count, line))
        batch.rejects.append(format.separator ?? ASCII.comma)
    }

    /// Appends the beginning of an object, with the reason and the line's number.
    private func appendMembers(_ error: RowError, line: Int, besides names: [Name], to batch: inout Batch) {
        let reason = JSONText.string(Self.name("reason", besides: names))
        let number = JSONText.string(Self.name("line", besides: names))
        batch.rejects.append("{\(reason):\(JSONText.string(error.reason.text)),\(number):")
        batch.rejectedLines.append((batch.rejects.count, line))
    }

    /// A cell, and the separator after it.
    private func cell(_ text: String) -> String {
        let separator = String(UnicodeScalar(format.separator ?? ASCII.comma))
        let cell = format == .tsv ? String(text.map { "\t\n\r".contains($0) ? " " : $0 }) : format.cell(text)
        return (cell ?? text) + separator
    }
}
