/// Where rows end: the good ones on standard output, the others in a file, and what is to be said on standard error.
///
/// Only the thread whose turn it is may use it.
final class RowSink {
    /// How many rows that were not taken are told of one by one.
    static let reportsAtMost = 20

    private let input: ByteStream
    private let output: Output
    private var rejects: Rejects?
    private let progress: Progress
    private var warning: String?
    private let tellsOfNoRows: Bool
    private let isQuiet: Bool

    private(set) var rowCount = 0
    private(set) var badCount = 0
    private var formulaCount: Int
    /// How many rows fell under each verdict, in the order of `Verdict.allCases`.
    private(set) var verdicts = Batch.noVerdicts
    private var lineCount: Int
    private var reportCount = 0

    /// A stream of rows. On a terminal they are shown with everything escaped that it would obey; to a file and a pipe they go
    /// as they are.
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

    /// A file for the rows that were not taken.
    struct Rejects {
        let output: Output
        /// Stands in front of the first of them.
        var header: String
    }

    /// A sink.
    ///
    /// - Parameters:
    ///   - input: Where the rows come from.
    ///   - output: Where the good rows go.
    ///   - formulaCount: How many cells of the header a spreadsheet takes for formulas.
    ///   - firstLine: The line of the first row, 2 behind a header.
    ///   - rejects: Where rows go that were not taken.
    ///   - warning: What is to be said, once, if there are more rows than one.
    ///   - tellsOfNoRows: Whether it is worth a word that there were none.
    ///   - isQuiet: Whether to say nothing but what went wrong.
    init(
        input: ByteStream,
        output: Output,
        formulaCount: Int,
        firstLine: Int,
        rejects: Rejects?,
        warning: String?,
        tellsOfNoRows: Bool,
        isQuiet: Bool
    ) {
        self.input = input
        self.output = output
        self.formulaCount = formulaCount
        self.isQuiet = isQuiet
        self.rejects = rejects
        self.warning = warning
        self.tellsOfNoRows = tellsOfNoRows
        lineCount = firstLine
        progress = Progress(size: input.size, isQuiet: isQuiet)
    }

    /// Writes a batch and empties it.
    func write(_ batch: inout Batch) throws(ToolError) {
        if !batch.output.isEmpty {
            try output.write(batch.output.bytes)
        }
        if let rejects, !batch.rejects.isEmpty {
            try rejects.output.write(Array(rejects.header.utf8))
            self.rejects?.header = ""
            try rejects.output.write(batch.rejects.bytes)
        }
        for report in batch.reports where reportCount < Self.reportsAtMost {
            progress.clear()
            say("\(input.name):\(lineCount + report.line): \(report.reason)")
            reportCount += 1
        }
        rowCount += batch.rowCount
        if let warning, rowCount > 1 {
            progress.clear()
            say("referral-tool: \(warning)")
            self.warning = nil
        }
        badCount += batch.badCount
        formulaCount += batch.formulaCount
        for (verdict, count) in batch.verdicts.enumerated() { verdicts[verdict] += count }
        lineCount += batch.lineCount
        batch.removeAll()
    }

    func didWriteChunk(consumed: Int) {
        progress.show(rows: rowCount, consumed: consumed)
    }

    /// Takes away what is shown, where the work ends early.
    func clearProgress() { progress.clear() }

    /// Says what is left to say, and answers what the command ends with.
    func finish(summary: String?) -> ExitStatus {
        progress.finish(rows: rowCount, bad: badCount)
        if rowCount == 0, tellsOfNoRows { say("referral-tool: there are no rows in \(input.name)") }
        if badCount > reportCount {
            say("referral-tool: \(Progress.count(badCount - reportCount, "more row")) could not be taken")
        }
        if formulaCount > 0, !isQuiet {
            let formulas =
                formulaCount == 1 ? "1 cell for a formula" : "\(Progress.grouped(formulaCount)) cells for formulas"
            say("referral-tool: a spreadsheet takes \(formulas); --guard-formulas puts an apostrophe in front of each")
        }
        if let summary { say("referral-tool: \(summary)") }
        return Interruption.status ?? (badCount > 0 ? .badData : .done)
    }

    private func say(_ line: String) {
        // Whether anybody reads it or not, the status says it too.
        try? ByteStream.error.write(TerminalText.escaped(line) + "\n")
    }
}
