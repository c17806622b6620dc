/// A command that goes through a table: its options, its input and its end.
struct RowJob {
    static let options: [Option] = [
        .value("--from"), .value("--columns"), .value("--rejects"), .value("--jobs"), .flag("--quiet"),
        .flag("--guard-formulas"),
    ]

    let format: RowFormat
    private let input: RowInput
    private let arguments: Arguments
    private let jobs: Int

    init(_ arguments: Arguments, formats: [RowFormat], default standard: RowFormat) throws(ToolError) {
        guard arguments.strings.count <= 1 else {
            throw .usage("one file at a time; \(ToolError.quoted(arguments.strings[1])) is the second")
        }
        let file = arguments.strings.first { $0 != "-" }
        format = try RowFormat.ofInput(arguments, file: file, among: formats, default: standard)
        let jobs = try arguments.read("--jobs", "a number of threads is 1 to 64") { text in
            Int(text).flatMap { 1...64 ~= $0 ? $0 : nil }
        }
        self.jobs = jobs ?? min(64, Workers.coreCount)
        if arguments.contains("--columns"), format.separator == nil {
            throw .usage("--columns names the columns of csv and tsv; \(format.rawValue) has none")
        }
        self.arguments = arguments
        let stream = try file.map { path throws(ToolError) in try ByteStream(reading: path) } ?? .input
        guard !stream.isSameFile(as: .output) else {
            throw .usage("standard output is \(ToolError.quoted(stream.name)) too; write to another file")
        }
        input = RowInput(stream, format: format)
        Interruption.watch()
    }

    /// The table's columns; those that JSON lines need, too, to become a table.
    func columns(neededFor output: RowFormat) throws(ToolError) -> Columns? {
        if let list = arguments["--columns"] { return try Columns(named: list) }
        if format.separator != nil { return try Columns(firstLineOf: input) }
        return output.separator == nil ? nil : try Columns(firstObjectOf: input)
    }

    /// Whether cells that a spreadsheet takes for formulas get an apostrophe in front.
    func guardsFormulas(in output: RowFormat) throws(ToolError) -> Bool {
        guard arguments.contains("--guard-formulas") else { return false }
        guard output.separator != nil else {
            throw .usage("--guard-formulas is for csv and tsv; the output is \(output.rawValue)")
        }
        return true
    }

    /// What is wrong with the columns, and where it stands.
    func badColumns(_ problem: String) -> ToolError {
        if let list = arguments["--columns"] { return .value(list, of: "--columns", problem) }
        return .badData("\(input.stream.name):1: \(problem)")
    }

    func checked<Value>(_ body: () throws(RowError) -> Value) throws(ToolError) -> Value {
        do { return try body() } catch { throw badColumns(error.reason) }
    }

    /// Goes through all rows.
    ///
    /// - Parameters:
    ///   - columns: The columns, where there are any.
    ///   - to: What the output is.
    ///   - header: What the output begins with.
    ///   - warning: What is to be said, once, if there are more rows than one.
    ///   - work: Makes what each thread does with its rows.
    ///   - longLines: Makes what is done with lines that are longer than any row may be; without it they are bad rows.
    ///   - summary: What is to be said at the end.
    /// - Returns: What the command ends with.
    /// - Throws: What kept the rest from being read or written.
    func run<Work: RowWork>(
        columns: Columns?,
        to: RowFormat,
        header: RowWriter.Header,
        warning: String? = nil,
        _ work: (BadRows) -> @Sendable () -> Work,
        longLines: (Work) -> (any LongLineWork)? = { _ in nil },
        summary: (RowSink) -> String? = { _ in nil }
    ) throws(ToolError) -> ExitStatus {
        let badRows = BadRows(format: format, areKept: arguments.contains("--rejects"))
        let rejects = try arguments["--rejects"].map { path throws(ToolError) in
            RowSink.Rejects(
                output: RowSink.Output(try ByteStream(writing: path, apartFrom: [input.stream, .output]), format),
                header: badRows.header(columns)
            )
        }
        let output = RowSink.Output(.output, to)
        let sink = RowSink(
            input: input.stream,
            output: output,
            formulaCount: header.formulaCount,
            firstLine: columns?.header == nil || format.separator == nil ? 1 : 2,
            rejects: rejects,
            warning: arguments.contains("--quiet") ? nil : warning,
            // A part of a table may well be empty.
            tellsOfNoRows: !arguments.contains("--quiet") && !arguments.contains("--columns"),
            isQuiet: arguments.contains("--quiet")
        )
        try output.write(header.line)
        // Bad rows go to their file as they are found, as good ones go to standard output, so that both hold what was done so
        // far where the work is interrupted. Before it begins nothing in the file is lost.
        rejects?.output.stream.empty()
        let makeWork = work(badRows)
        defer { sink.clearProgress() }
        try RowPipeline(input: input, sink: sink).run(
            jobs: jobs,
            longLines: longLines(makeWork()) ?? BadRows.LongLines(badRows),
            makeWork
        )
        return sink.finish(summary: summary(sink))
    }
}
