import ReferralBridge

/// Records the rejected rows, unchanged, each after its reason.
///
/// The reason comes first, so that it can be found even if the row is malformed.
struct BadRows: Sendable {
    let format: RowFormat
    /// Whether the rows are written to a file.
    let keepsRows: Bool

    /// The name of the reason's column or member. `rejected.` is prepended until the name is unique.
    private static func reasonName(besides taken: some Sequence<String>) -> String {
        let taken = Set(taken)
        var name = "reason"
        while taken.contains(name) { name = "rejected." + name }
        return name
    }

    /// The first line of the file.
    func header(_ columns: Columns?) -> String {
        guard let header = columns?.header, let columns, format.separator != nil else { return "" }
        let names = String(decoding: header + columns.lineEnd, as: UTF8.self)
        return columns.mark + field(Self.reasonName(besides: columns.names.map(Columns.key))) + names
    }

    func append(_ row: RowScanner.Row, of scanner: borrowing RowScanner, _ error: RowError, to batch: inout Batch) {
        count(error, line: row.line, in: &batch)
        guard keepsRows else { return }
        let bytes = scanner.bytes.part(row.range)
        if format != .jsonl {
            batch.rejects.append(field(error.reason))
            batch.rejects.append(bytes)
        } else if let object = try? JSONRow(bytes), let brace = bytes.firstIndex(of: ASCII.openBrace) {
            let name = JSONText.string(Self.reasonName(besides: object.members.map(\.name)))
            batch.rejects.append("{\(name):\(JSONText.string(error.reason))\(object.members.isEmpty ? "" : ",")")
            batch.rejects.append(bytes.part(brace + 1..<bytes.count))
        } else {
            batch.rejects.append("\(field(error.reason))\(JSONText.content(ofAnyBytes: bytes))\"}")
        }
        let lineEnd = scanner.bytes.part(row.range.upperBound..<scanner.position)
        if lineEnd.isEmpty { batch.rejects.append(ASCII.lineFeed) } else { batch.rejects.append(lineEnd) }
    }

    /// Rejects a line that is longer than a row may be, a piece at a time.
    func append(piece: Bytes, isFirst: Bool, isLast: Bool, to batch: inout Batch) {
        if isFirst {
            batch.counts.rows += 1
            count(.tooLong, line: 0, in: &batch)
        }
        guard keepsRows else { return }
        if isFirst { batch.rejects.append(field(RowError.tooLong.reason)) }
        if format != .jsonl {
            batch.rejects.append(piece)
        } else {
            batch.rejects.append(JSONText.content(ofAnyBytes: piece))
            if isLast { batch.rejects.append("\"}") }
        }
        if isLast { batch.rejects.append(ASCII.lineFeed) }
    }

    private func count(_ error: RowError, line: Int, in batch: inout Batch) {
        batch.counts.rejected += 1
        if batch.reports.count < RowSink.maximumReports { batch.reports.append((line, error.reason)) }
    }

    /// The reason's cell, or the beginning of an object, before the row.
    private func field(_ text: String) -> String {
        let separator = String(UnicodeScalar(format.separator ?? ASCII.comma))
        return switch format {
        case .tsv: String(text.map { "\t\n\r".contains($0) ? " " : $0 }) + separator
        case .jsonl: "{\"reason\":\(JSONText.string(text)),\"row\":\""
        case .csv, .csvWithTabs, .csvWithSemicolons, .txt, .html: (format.cell(text) ?? text) + separator
        }
    }
}
