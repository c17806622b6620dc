import ReferralBridge

/// The destination of the results: accepted rows go to standard output, rejected rows to a file, messages to standard error.
///
/// Only the thread whose turn it is may use it.
final class RowSink {
    /// The number of rejected rows that are reported one by one.
    static let maximumReports = 20

    private let input: ByteStream
    private let output: Output
    private let progress: Progress
    private let isQuiet: Bool

    /// The file of the rejected rows, and its first line.
    var rejects: (output: Output, header: String)?
    /// A message if there is more than one row.
    var warning: String?
    /// Whether to report an input without rows.
    var reportsEmptyInput = true
    /// The number of cells that a spreadsheet takes for formulas.
    var formulaCount = 0
    /// The number of the next line.
    var lineCount = 1

    private(set) var rowCount = 0
    private(set) var rejectedCount = 0
    /// The number of rows for each verdict, in the order of `Verdict.allCases`.
    private(set) var verdicts = Batch.noVerdicts
    private var reportCount = 0

    /// A stream of rows. A terminal gets escapes for all characters that it would interpret.
    struct Output {
        let stream: ByteStream
        let format: RowFormat
        private let isTerminal: Bool

        init(_ stream: ByteStream, _ format: RowFormat) {
            self.stream = stream
            self.format = format
            isTerminal = stream.isTerminal
        }

        func write(_ rows: Bytes) throws(ToolError) {
            if isTerminal {
                try stream.write(TerminalText.escaped(rows: rows, of: format))
            } else {
                try stream.write(UnsafeRawBufferPointer(rows))
            }
        }

        func write(_ rows: [UInt8]) throws(ToolError) {
            let outcome = rows.withUnsafeBufferPointer { rows in
                Result<Void, ToolError> { () throws(ToolError) in try write(rows) }
            }
            try outcome.get()
        }
    }

    init(input: ByteStream, output: Output, isQuiet: Bool) {
        (self.input, self.output, self.isQuiet) = (input, output, isQuiet)
        progress = Progress(size: input.size, isQuiet: isQuiet)
    }

    /// Writes a batch and clears it.
    func write(_ batch: inout Batch) throws(ToolError) {
        if !batch.output.isEmpty {
            try output.write(batch.output.bytes)
        }
        if let rejects, !batch.rejects.isEmpty {
            try rejects.output.write(Array(rejects.header.utf8))
            self.rejects?.header = ""
            try rejects.output.write(batch.rejects.bytes)
        }
        for rejected in batch.reports where reportCount < Self.maximumReports {
            progress.clear()
            report("\(input.name):\(lineCount + rejected.line): \(rejected.reason)")
            reportCount += 1
        }
        rowCount += batch.rowCount
        if let warning, rowCount > 1 {
            progress.clear()
            report("referral-tool: \(warning)")
            self.warning = nil
        }
        rejectedCount += batch.rejectedCount
        formulaCount += batch.formulaCount
        for (verdict, count) in batch.verdicts.enumerated() { verdicts[verdict] += count }
        lineCount += batch.lineCount
        batch.removeAll()
    }

    func didWriteChunk(consumed: Int) {
        progress.show(rows: rowCount, consumed: consumed)
    }

    func clearProgress() { progress.clear() }

    /// Writes the last messages and returns the exit status.
    func finish(summary: String?) -> ExitStatus {
        progress.finish(rows: rowCount, rejected: rejectedCount)
        if rowCount == 0, reportsEmptyInput { report("referral-tool: there are no rows in \(input.name)") }
        if rejectedCount > reportCount {
            report("referral-tool: \(Progress.count(rejectedCount - reportCount, "more row")) rejected")
        }
        if formulaCount > 0, !isQuiet {
            let formulas =
                formulaCount == 1 ? "1 cell for a formula" : "\(Progress.grouped(formulaCount)) cells for formulas"
            report(
                "referral-tool: a spreadsheet takes \(formulas); --guard-formulas puts an apostrophe in front of each"
            )
        }
        if let summary { report("referral-tool: \(summary)") }
        return Interruption.status ?? (rejectedCount > 0 ? .badData : .done)
    }

    private func report(_ line: String) {
        // If nobody can read it, the exit status still says it.
        try? ByteStream.error.write(TerminalText.escaped(line) + "\n")
    }
}
