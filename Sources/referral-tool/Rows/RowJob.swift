import UnlockCatalog

/// A command that processes a table: its options, its input and its output.
///
/// This folder is the engine of `links` and of `decode --each`. ``RowPipeline`` reads a table in chunks, processes them on
/// several threads, and writes the results in order, in constant memory. The engine uses the command's arguments and
/// counts verdicts, so it is a part of the command rather than a separate target.
struct RowJob {
    /// The formats of a table of links, and of a log.
    static let links = Option<RowFormat>(
        "--from",
        "FORMAT",
        """
        the format of the input, if its name doesn't show it: csv (the default), tsv or jsonl; csv may have tabs or semicolons \
        in place of commas
        """,
        oneOf: [.csv, .tsv, .jsonl]
    )
    static let log = Option<RowFormat>(
        "--from",
        "FORMAT",
        "with --each: the format of the input, if its name doesn't show it: txt (the default), csv, tsv or jsonl",
        oneOf: [.txt, .csv, .tsv, .jsonl]
    )
    static let file = Usage.operand(
        "[FILE]",
        help: ("FILE", "a table (CSV with a header, TSV, JSON lines) or a log; standard input by default")
    )
    private static let columns = Option(
        "--columns",
        "NAMES",
        "the columns, a,b,c or a;b;c, of a table without a header; the output then has no header either"
    )
    private static let rejects = Option("--rejects", "FILE", "a file for the rejected rows, each after the reason")
    private static let guardFormulas = Flag(
        "--guard-formulas",
        """
        puts an apostrophe before the cells of csv and tsv that a spreadsheet reads as formulas, which begin with = + - @, a \
        tab or a line end; without it, they are counted
        """
    )
    private static let jobs = Option(
        "--jobs",
        "N",
        "the number of threads, by default the number of cores",
        form: "a number of threads is 1 to 64"
    ) { Int($0).flatMap { 1...64 ~= $0 ? $0 : nil } }
    static let quiet = Flag("--quiet", "prints only errors on standard error")

    static let optionalUsage = Usage.optional(columns, rejects, guardFormulas, jobs, quiet)

    /// The format of the input. For CSV, reading the header determines its form.
    var format: RowFormat { input.format }
    private let input: RowInput
    /// The table.
    var stream: ByteStream { input.stream }
    private let arguments: Arguments
    private let jobs: Int

    init(
        _ arguments: Arguments,
        format option: Option<RowFormat>,
        default standard: RowFormat
    ) throws(ToolError) {
        guard arguments.operands.count <= 1 else {
            throw .usage("one file at a time; \(quoted: arguments.operands[1]) is the second")
        }
        let file = arguments.operands.first { $0 != "-" }
        let given = try arguments.value(of: option)
        let named = file.flatMap(RowFormat.init(fileName:))
        if let file, let given, let named, given != named {
            throw .usage("\(quoted: file) is \(name: named.rawValue) by its name, but --from names another format")
        }
        var format = named ?? given ?? standard
        jobs = try arguments.value(of: Self.jobs) ?? min(64, Workers.coreCount)
        if arguments.contains(Self.columns), format.separator == nil {
            throw .usage("--columns names the columns of csv and tsv; \(name: format.rawValue) has none")
        }
        let list = arguments.text(of: Self.columns)
        if var list, format == .csv {
            format = list.withUTF8 { TableHeader($0, of: .csv, isWhole: true)?.format } ?? .csv
        }
        self.arguments = arguments
        let stream = try file.map { path throws(ToolError) in try ByteStream(reading: path) } ?? .input
        guard !stream.isSameFile(as: .output) else {
            throw .usage("standard output is \(quoted: stream.name) too; write to another file")
        }
        input = RowInput(stream, format: format, hasHeader: list == nil)
        Interruption.watch()
    }

    /// Makes the writer of the output, with the columns of the table. By default, the output has the input's format.
    /// A column that is used, by its key, must be the only one of its name.
    func writer(to output: RowFormat?, isUsed: (Name) -> Bool) throws(ToolError) -> RowWriter {
        let output = output ?? format
        let guardsFormulas = arguments.contains(Self.guardFormulas)
        guard !guardsFormulas || output.separator != nil else {
            throw .usage("--guard-formulas is for csv and tsv; the output is \(name: output.rawValue)")
        }
        var columns: Columns?
        if let list = arguments.text(of: Self.columns) {
            columns = Columns(named: list, separator: format.hasQuotes ? format.separator : nil)
        } else if format.separator != nil {
            columns = try Columns(firstLineOf: input)
        }
        if let problem = columns?.problem(isUsed: isUsed) { throw columnError(problem) }
        // The first line of a CSV table may have changed the format.
        let to = output.separator == nil ? output : format
        return RowWriter(from: format, to: to, columns: columns, guardsFormulas: guardsFormulas)
    }

    /// An error in the columns, which are in `--columns` or in the first line.
    func columnError(_ problem: Sentence) -> ToolError {
        if let list = arguments.text(of: Self.columns) { return .value(list, of: Self.columns, problem) }
        let line: Sentence = format.separator == nil ? "" : ":1"
        return .badData("\(whole: input.stream.name)\(line): \(problem)")
    }

    /// Processes all rows.
    ///
    /// - Parameters:
    ///   - writer: Writes the output.
    ///   - added: The names of the values that are added to the rows.
    ///   - warning: A message that is written once if a row is valid.
    ///   - others: Other files that the command reads.
    ///   - sheet: A file that the command writes afterward.
    ///   - makeWork: Makes the processor for the rows of a thread.
    ///   - linkedRows: Collects the first rows with links.
    ///   - longLines: Processes lines longer than a row; by default they are rejected.
    ///   - summary: The messages at the end.
    /// - Returns: The exit status.
    /// - Throws: An error in the columns' names, in reading or in writing.
    func run(
        _ writer: RowWriter,
        adding added: [Name],
        warning: Sentence? = nil,
        otherThan others: [ByteStream] = [],
        writesAlso sheet: String? = nil,
        _ makeWork: @escaping @Sendable () -> some RowWork & ~Copyable,
        linkedRows: LinkedRows? = nil,
        longLines: LongLineWork? = nil,
        summary: (Counts) -> [Sentence] = { _ in [] }
    ) throws(ToolError) -> ExitStatus {
        var header = Batch()
        do { try writer.appendHeader(adding: added, to: &header) } catch { throw columnError(error.reason) }
        header.counts.lines = writer.columns?.lineCount ?? 0
        let badRows = BadRows(
            format: format,
            keepsRows: arguments.contains(Self.rejects),
            guardsFormulas: writer.guardsFormulas
        )
        let isQuiet = arguments.contains(Self.quiet)
        let sink = RowSink(input: input.stream, from: format, to: writer.to, isQuiet: isQuiet)
        var files = RunFiles()
        for file in [input.stream] + others { try files.read(file) }
        try files.writesStandardOutput()
        let rejects = try arguments.text(of: Self.rejects).map { path throws(ToolError) in try files.output(path) }
        if let sheet { _ = try files.output(sheet) }
        if let rejects { sink.rejects = (try rejects.open(), badRows.header(writer.columns)) }
        sink.linkedRows = linkedRows
        sink.warning = isQuiet ? nil : warning
        // A table without a header may be an empty part of another table.
        sink.reportsEmptyInput = !isQuiet && !arguments.contains(Self.columns)
        try sink.write(&header)
        // Rejected rows are written immediately, like the others, so that an interruption loses neither. An error
        // before this line leaves the file unchanged.
        sink.rejects?.stream.empty()
        defer { sink.progress.clear() }
        try RowPipeline(input: input, sink: sink, columnCount: writer.names.count, badRows: badRows)
            .run(jobs: jobs, longLines: longLines ?? badRows.append, makeWork)
        return sink.finish(summary: summary(sink.counts))
    }
}
