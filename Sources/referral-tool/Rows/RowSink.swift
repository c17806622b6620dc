/// The destination of the results: accepted rows go to standard output, rejected rows to a file, messages to standard error.
///
/// Only the thread whose turn it is may use it.
final class RowSink {
    /// The number of rejected rows that are reported one by one.
    static let maximumReports = 20

    private let input: ByteStream
    private let from: RowFormat
    private let to: RowFormat
    let progress: Progress
    private let isQuiet: Bool

    /// The file of the rejected rows, and its first line.
    var rejects: (stream: ByteStream, header: String)?
    /// A message if a row has a link.
    var warning: Sentence?
    /// Collects the first rows with links.
    var linkedRows: LinkedRows?
    /// Whether to report an input without rows.
    var reportsEmptyInput = true

    private(set) var counts = Counts()
    private var reportCount = 0
    private var hasReportedEncoding = false

    init(input: ByteStream, from: RowFormat, to: RowFormat, isQuiet: Bool) {
        self.input = input
        self.from = from
        self.to = to
        self.isQuiet = isQuiet
        progress = Progress(size: input.size, isQuiet: isQuiet)
    }

    /// Writes a batch and clears it.
    func write(_ batch: inout Batch) throws(ToolError) {
        try ByteStream.output.write(batch.output, of: to)
        if let rejects, !batch.rejects.isEmpty {
            var header = ByteBuffer(capacity: 0)
            header.append(rejects.header)
            try rejects.stream.write(header, of: from)
            self.rejects?.header = ""
            try rejects.stream.write(numberedRejects(of: batch), of: from)
        }
        for (line, error) in batch.reports where reportCount < Self.maximumReports {
            if error.isAboutEncoding, hasReportedEncoding { continue }
            hasReportedEncoding = hasReportedEncoding || error.isAboutEncoding
            progress.clear()
            report("\(whole: input.name):\(1 + counts.lines + line): \(error.reason)")
            reportCount += 1
        }
        linkedRows?.add(batch.linkedRows, after: counts.lines)
        batch.collectsLinkedRows = linkedRows?.isFull == false
        counts.add(batch.counts)
        if let warning, counts.rows > counts.rejected {
            progress.clear()
            report("referral-tool: \(warning)")
            self.warning = nil
        }
        batch.removeAll()
    }

    /// The rejected rows with the numbers of their lines.
    private func numberedRejects(of batch: borrowing Batch) -> ByteBuffer {
        var rejects = ByteBuffer(capacity: batch.rejects.count + 8 * batch.rejectedLines.count)
        var start = 0
        for (position, line) in batch.rejectedLines {
            rejects.append(batch.rejects.bytes.part(start..<position))
            rejects.append(String(1 + counts.lines + line))
            start = position
        }
        rejects.append(batch.rejects.bytes.part(start..<batch.rejects.count))
        return rejects
    }

    /// Writes the last messages and returns the exit status.
    func finish(summary: [Sentence]) -> ExitStatus {
        progress.finish(rows: counts.rows, rejected: counts.rejected)
        if counts.rows == 0, reportsEmptyInput, Interruption.status == nil {
            report("referral-tool: there are no rows in \(whole: input.name)")
        }
        if counts.rejected > reportCount {
            report("referral-tool: \(name: Progress.count(counts.rejected - reportCount, "more row")) rejected")
        }
        if counts.formulas > 0, !isQuiet {
            let cells: Sentence =
                "\(name: Progress.count(counts.formulas, "cell")) as \(counts.formulas == 1 ? "a formula" : "formulas")"
            report("referral-tool: a spreadsheet reads \(cells); --guard-formulas puts an apostrophe before each")
        }
        for line in summary { report("referral-tool: \(line)") }
        return Interruption.status ?? (counts.rejected > 0 ? .badData : .done)
    }

    private func report(_ line: Sentence) {
        // If the message can't be written, the exit status still reports it.
        try? ByteStream.error.write(line.text + "\n")
    }
}
