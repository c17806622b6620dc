import ReferralFoundation

/// The work of a thread on rows.
protocol RowWork: ~Copyable {
    /// Appends the result for a valid row to a batch. If it throws, the row is rejected.
    mutating func append(_ row: Row, to batch: inout Batch) throws(RowError)
}

/// A command that processes a table: its options, its input and its output.
///
/// It reads the table in blocks of rows, processes them on several threads, and writes the results in order, in constant memory.
/// Accepted rows go to standard output, rejected rows to the file of `--rejects`, messages to standard error.
struct RowJob {
    static let file = Usage.operand(
        "[FILE]",
        help: ("FILE", "a table (CSV with a header, TSV, JSON lines); standard input by default")
    )
    static let log = Usage.operand("[FILE]", help: ("FILE", "a log; standard input by default"))
    private static let rejects = Option("--rejects", "FILE", "a file for the rejected rows, each after the reason")
    private static let jobs = Option<Int>(
        "--jobs",
        "N",
        "the number of threads, by default the number of cores",
        form: "a number of threads is 1 to 64"
    ) { Int($0).flatMap { 1...64 ~= $0 ? $0 : nil } }
    static let quiet = Flag("--quiet", "prints only errors on standard error")

    /// The options of all jobs, and those of a table.
    static let usage: [Usage] = Usage.optional(jobs, quiet)
    static let tableUsage: [Usage] = Usage.optional(rejects) + usage

    /// The number of rejected rows that are reported one by one.
    private static let maximumReports = 20

    let input: RowInput
    let isQuiet: Bool
    private let arguments: Arguments
    private let jobs: Int
    private let files = RunFiles()

    /// The format of the input. For CSV, reading the first line determines its form.
    var format: RowFormat { input.format }

    init(_ arguments: Arguments, format: RowFormat) throws(ToolError) {
        guard arguments.operands.count <= 1 else {
            throw .usage("one file at a time; \(quoted: arguments.operands[1]) is the second")
        }
        jobs = try arguments.value(of: Self.jobs) ?? Cores.count
        isQuiet = arguments.contains(Self.quiet)
        self.arguments = arguments
        input = RowInput(try files.input(arguments.operands.first ?? "-"), format: format)
    }

    /// The columns, if the format has any. A column that is used, by its key, must be the only one of its name.
    func columns(isUsed: (Name) -> Bool) throws(ToolError) -> Columns? {
        format.separator == nil ? nil : try Columns(firstLineOf: input, isUsed: isUsed)
    }

    /// An error in the columns, which are in the first line.
    func columnError(_ problem: Sentence) -> ToolError { .badData("\(whole: input.stream.name):1: \(problem)") }

    /// Processes all rows.
    ///
    /// - Parameters:
    ///   - writer: Writes the output.
    ///   - others: Other files that the command reads.
    ///   - sheet: A file that the command writes afterward.
    ///   - makeWork: Makes the work of a thread.
    ///   - collect: Takes each batch that was written.
    ///   - summary: The messages at the end.
    /// - Returns: The exit status.
    /// - Throws: An error in reading or in writing.
    func run<Work: RowWork & ~Copyable>(
        _ writer: RowWriter,
        otherThan others: [ByteStream] = [],
        writesAlso sheet: String? = nil,
        _ makeWork: () -> Work,
        collect: @escaping (borrowing Batch) -> Void = { _ in },
        summary: (Counts) -> [Sentence]
    ) throws(ToolError) -> ExitStatus {
        for file in others { try files.read(file) }
        _ = try files.output("-")
        let file = try arguments.text(of: Self.rejects).map { path throws(ToolError) in try files.output(path) }
        if let sheet { _ = try files.output(sheet) }
        let rejects = try file.map { file throws(ToolError) in try file.open() }
        let badRows = BadRows(format: format)
        let (keepsRejects, columnCount) = (rejects != nil, writer.names.count)
        var (counts, reported) = (Counts(), 0)
        var rejectsHeader = badRows.header(writer.columns)

        try ByteStream.output.write(writer.header, of: writer.to)
        // An error before this line leaves the file unchanged.
        rejects?.empty()
        let pipeline = Pipeline(
            read: { waits throws(ToolError) in try input.next(waits: waits) },
            write: { (result: Reference<Batch>) throws(ToolError) in
                try ByteStream.output.write(result.value.output.bytes, of: writer.to)
                if let rejects, result.value.rejects.count > 0 {
                    try rejects.write(rejectsHeader, of: format)
                    try rejects.write(result.value.rejects.bytes, of: format)
                    rejectsHeader = ""
                }
                for (line, error) in result.value.reports.prefix(Self.maximumReports - reported) {
                    // If the message can't be written, the exit status still reports it.
                    let report: Sentence = "\(whole: input.stream.name):\(line): \(error.reason)\n"
                    try? ByteStream.error.write(report.text)
                    reported += 1
                }
                counts.add(result.value.counts)
                collect(result.value)
            }
        )
        try pipeline.run(jobs: jobs) {
            let work = Reference(makeWork())
            return { block in Reference(batch(of: block, &work.value, columnCount, keepsRejects ? badRows : nil)) }
        }
        if counts.rejected > reported {
            ByteStream.note("\(name: CountText.count(counts.rejected - reported, "more row")) rejected")
        }
        if !isQuiet {
            if counts.rows == 0 { ByteStream.note("there are no rows in \(whole: input.stream.name)") }
            for line in summary(counts) { ByteStream.note(line) }
        }
        return counts.rejected > 0 ? .badData : .done
    }

    /// The results of a block.
    private func batch<Work: RowWork & ~Copyable>(
        of block: RowBlock,
        _ work: inout Work,
        _ columnCount: Int,
        _ badRows: BadRows?
    ) -> Batch {
        var batch = Batch()
        var scanner = RowScanner(block.bytes, format: format, line: block.line)
        while let row = scanner.next() {
            // A line of text is valid, even an empty one.
            guard format == .txt || !row.range.isEmpty else { continue }
            let count = batch.output.count
            batch.counts.rows += 1
            do throws(RowError) {
                if format != .txt { try row.check(columns: columnCount) }
                try work.append(row, to: &batch)
            } catch {
                batch.output.truncate(to: count)
                batch.counts.rejected += 1
                if batch.reports.count < Self.maximumReports { batch.reports.append((row.line, error)) }
                badRows?.append(row, error.reason, to: &batch.rejects)
            }
        }
        return batch
    }
}

/// The results of a block of rows.
struct Batch: ~Copyable {
    var output = ByteBuffer(capacity: 512 << 10)
    /// The rejected rows, each with its reason.
    var rejects = ByteBuffer(capacity: 0)
    /// The first rejected rows, up to the number that is reported, with their lines.
    var reports: [(line: Int, error: RowError)] = []
    /// What the sheet of codes shows of the rows.
    var codes: [CodeSheet.Code] = []
    /// The referrers of the input's first lines, which are compared.
    var referrers: [String] = []
    var counts = Counts()
}

/// The counts of one block, or of all blocks.
struct Counts {
    private static let maximumNames = 64

    var rows = 0
    var rejected = 0
    /// The rows whose referrer has white space around it.
    var trimmed = 0
    /// The members of JSON lines without a role, in order; the first ones, since each row may have different ones, and none that is
    /// longer than a name.
    private(set) var ignored: [Name] = []
    /// The rows for each verdict, of which most tables have few.
    private(set) var verdicts: [(verdict: Verdict, count: Int)] = []

    mutating func ignore(_ name: Name) {
        guard ignored.count < Self.maximumNames, name.rawValue.isName, !ignored.contains(name) else { return }
        ignored.append(name)
    }

    mutating func add(_ count: Int, _ verdict: Verdict) {
        if let place = verdicts.firstIndex(where: { $0.verdict == verdict }) {
            verdicts[place].count += count
        } else {
            verdicts.append((verdict, count))
        }
    }

    mutating func add(_ other: Counts) {
        rows += other.rows
        rejected += other.rejected
        trimmed += other.trimmed
        for name in other.ignored { ignore(name) }
        for (verdict, count) in other.verdicts { add(count, verdict) }
    }
}

/// A value that is changed in place, and shared.
final class Reference<Value: ~Copyable> {
    var value: Value
    init(_ value: consuming Value) { self.value = value }
}
