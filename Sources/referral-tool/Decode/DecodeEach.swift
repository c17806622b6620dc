import ReferralBridge

/// `referral-tool decode --each`: judges each string of a log by itself, in constant memory.
enum DecodeEach {
    static let flag = Flag("--each", "judges each string of a log by itself")
    private static let column = Option("--column", "NAME", "with --each: the column of the strings, 'link' by default")

    static let usage = Usage.optional(RowJob.log, column) + RowJob.optionalUsage + [RowJob.file]

    static func run(_ arguments: Arguments, _ judge: Judge) throws(ToolError) -> ExitStatus {
        let job = try RowJob(arguments, format: RowJob.log, default: .txt)
        guard job.format != .txt || !arguments.contains(column) else {
            throw .usage("--column names a column of csv, tsv or jsonl; --from says which")
        }
        let writer = try job.writer(to: job.format == .txt ? .jsonl : nil)
        let column = arguments.text(of: column) ?? LinksCommand.column
        let names = DecodeWork.names(besides: writer.names.map(Columns.key))
        if let columns = writer.columns {
            guard columns.index(of: column) != nil else {
                throw job.columnError(columns.missing(column, job.format) + "; --column names it")
            }
            for name in names where columns.index(of: name) != nil {
                throw job.columnError("there is a column \(name.quoted) already; rename it")
            }
        }
        let makeWork = { @Sendable in DecodeWork(judge, column: column, adding: names, writer) }
        let longLines = job.format == .txt ? makeWork().longLines : nil
        return try job.run(writer, adding: names, makeWork, longLines: longLines) { counts in
            arguments.contains(RowJob.quiet) ? [] : summary(counts)
        }
    }

    /// `3 strings: 2 found, 1 expired`.
    private static func summary(_ counts: Counts) -> [String] {
        let verdicts = zip(Verdict.allCases, counts.verdicts).filter { $0.1 > 0 }
            .map { "\(Progress.grouped($0.1)) \($0.0.rawValue)" }
        let count = Progress.count(counts.rows - counts.rejected, "string")
        return verdicts.isEmpty ? [] : ["\(count): \(verdicts.joined(separator: ", "))"]
    }
}
