import ReferralBridge

/// The destination of the results: accepted rows go to standard output, rejected rows to a file, messages to standard error.
///
/// Only the thread whose turn it is may use it.
final class RowSink {
    /// The number of rejected rows that are reported one by one.
    static let maximumReports = 20

    private let input: ByteStream
    private let output: Output
    let progress: Progress
    private let isQuiet: Bool

    /// The file of the rejected rows, and its first line.
    var rejects: (output: Output, header: String)?
    /// A message if there is more than one row.
    var warning: String?
    /// Whether to report an input without rows.
    var reportsEmptyInput = true

    private(set) var counts = Counts()
    private var reportCount = 0

    /// A stream of rows. A terminal gets escapes for all characters that it would interpret.
    struct Output {
        let stream: ByteStream
        let format: RowFormat
        private let isTerminal: Bool

        init(_ stream: ByteStream, _ format: RowFormat) {
            (self.stream, self.format) = (stream, format)
            isTerminal = stream.isTerminal
        }

        func write(_ rows: borrowing ByteBuffer) throws(ToolError) {
            if isTerminal {
                try stream.write(TerminalText.escaped(rows: rows.bytes, of: format))
            } else {
                try stream.write(UnsafeRawBufferPointer(rows.bytes))
            }
        }
    }

    init(input: ByteStream, output: Output, isQuiet: Bool) {
        (self.input, self.output, self.isQuiet) = (input, output, isQuiet)
        progress = Progress(size: input.size, isQuiet: isQuiet)
    }

    /// Writes a batch and clears it.
    func write(_ batch: inout Batch) throws(ToolError) {
        try output.write(batch.output)
        if let rejects, !batch.rejects.isEmpty {
            var header = ByteBuffer(capacity: 0)
            header.append(rejects.header)
            try rejects.output.write(header)
            self.rejects?.header = ""
            try rejects.output.write(batch.rejects)
        }
        for (line, reason) in batch.reports where reportCount < Self.maximumReports {
            progress.clear()
            report("\(input.name):\(1 + counts.lines + line): \(reason)")
            reportCount += 1
        }
        counts.add(batch.counts)
        if let warning, counts.rows > 1 {
            progress.clear()
            report("referral-tool: \(warning)")
            self.warning = nil
        }
        batch.removeAll()
    }

    /// Writes the last messages and returns the exit status.
    func finish(summary: String?) -> ExitStatus {
        progress.finish(rows: counts.rows, rejected: counts.rejected)
        if counts.rows == 0, reportsEmptyInput { report("referral-tool: there are no rows in \(input.name)") }
        if counts.rejected > reportCount {
            report("referral-tool: \(Progress.count(counts.rejected - reportCount, "more row")) rejected")
        }
        if counts.formulas > 0, !isQuiet {
            let cells =
                "\(Progress.count(counts.formulas, "cell")) for \(counts.formulas == 1 ? "a formula" : "formulas")"
            report("referral-tool: a spreadsheet takes \(cells); --guard-formulas puts an apostrophe in front of each")
        }
        if let summary { report("referral-tool: \(summary)") }
        return Interruption.status ?? (counts.rejected > 0 ? .badData : .done)
    }

    private func report(_ line: String) {
        // If nobody can read it, the exit status still says it.
        try? ByteStream.error.write(TerminalText.escaped(line) + "\n")
    }
}
