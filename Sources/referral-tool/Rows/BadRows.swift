/// Takes note of rows that were not taken, and keeps them as they stood, each behind its reason.
///
/// The reason comes first, so that it is found whatever is wrong with what stands behind it.
struct BadRows: Sendable {
    let format: RowFormat
    /// Whether there is a file for them.
    let areKept: Bool

    /// What the reason is called beside other columns or members: where the name is taken, it gets `rejected.` in front, as
    /// often as needed.
    private static func reasonName(besides taken: some Sequence<String>) -> String {
        let taken = Set(taken)
        var name = "reason"
        while taken.contains(name) { name = "rejected." + name }
        return name
    }

    /// The first line of the file.
    func header(_ columns: Columns?) -> String {
        guard let header = columns?.header, let columns, format.separator != nil else { return "" }
        // A byte order mark stays where it was: in front of everything.
        let mark = header.starts(with: "\u{FEFF}".utf8) ? "\u{FEFF}" : ""
        let names = header.dropFirst(mark.utf8.count) + columns.lineEnd
        return mark + field(Self.reasonName(besides: columns.names)) + String(decoding: names, as: UTF8.self)
    }

    func append(_ row: RowScanner.Row, of scanner: borrowing RowScanner, _ error: RowError, to batch: inout Batch) {
        count(error, line: row.line, in: &batch)
        guard areKept else { return }
        let bytes = scanner.bytes.part(row.range)
        if format != .jsonl {
            batch.rejects.append(field(error.reason))
            batch.rejects.append(bytes)
        } else if let object = try? JSONRow(bytes), let brace = bytes.firstIndex(of: UInt8(ascii: "{")) {
            let name = JSONText.string(Self.reasonName(besides: object.members.map(\.name)))
            batch.rejects.append("{\(name):\(JSONText.string(error.reason))\(object.members.isEmpty ? "" : ",")")
            batch.rejects.append(bytes.part(brace + 1..<bytes.count))
        } else {
            batch.rejects.append("\(field(error.reason))\(JSONText.content(ofAnyBytes: bytes))\"}")
        }
        let lineEnd = scanner.bytes.part(row.range.upperBound..<scanner.position)
        if lineEnd.isEmpty { batch.rejects.append(.lineFeed) } else { batch.rejects.append(lineEnd) }
    }

    private func count(_ error: RowError, line: Int, in batch: inout Batch) {
        batch.badCount += 1
        if batch.reports.count < RowSink.reportsAtMost {
            batch.reports.append(Batch.Report(line: line, reason: error.reason))
        }
    }

    /// What stands in front of the row.
    private func field(_ text: String) -> String {
        switch format {
        case .tsv: String(text.map { "\t\n\r".contains($0) ? " " : $0 }) + "\t"
        case .jsonl: "{\"reason\":\(JSONText.string(text)),\"row\":\""
        case .csv, .txt, .html: (CellText.quoted(text, for: .csv) ?? text) + ","
        }
    }
}

extension BadRows {
    /// Takes the pieces of a line that is longer than any row may be.
    final class LongLines: LongLineWork {
        private let badRows: BadRows

        init(_ badRows: BadRows) { self.badRows = badRows }

        func work(on piece: Bytes, isFirst: Bool, isLast: Bool, into batch: inout Batch) {
            if isFirst {
                batch.rowCount += 1
                badRows.count(.tooLong, line: 0, in: &batch)
                if badRows.areKept { batch.rejects.append(badRows.field(RowError.tooLong.reason)) }
            }
            guard badRows.areKept else { return }
            let end = isLast && piece.last == .lineFeed ? piece.count - 1 : piece.count
            if badRows.format == .jsonl {
                batch.rejects.append(JSONText.content(ofAnyBytes: piece.part(0..<end)))
                if isLast { batch.rejects.append("\"}") }
            } else {
                batch.rejects.append(piece.part(0..<end))
            }
            if isLast { batch.rejects.append(.lineFeed) }
        }
    }
}
