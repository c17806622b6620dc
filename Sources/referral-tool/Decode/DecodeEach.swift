import UnlockCatalog

/// `referral-tool decode --each`: judges each string of a log by itself, in constant memory.
enum DecodeEach {
    static let flag = Flag("--each", "judges each string of a log by itself")
    private static let column = Option("--column", "NAME", "with --each: the column of the strings, 'link' by default")
    private static let nowColumn = Option(
        "--now-column",
        "NAME",
        "with --each: the column with the moment at which each string was read, in place of --now: \(TimeText.form.text)"
    )

    static let usage = Usage.optional(RowJob.log, column, nowColumn) + RowJob.optionalUsage + [RowJob.file]

    static func run(_ arguments: Arguments, _ judge: Judge, explains: Bool) throws(ToolError) -> ExitStatus {
        let job = try RowJob(arguments, format: RowJob.log, default: .txt)
        for option in [column, nowColumn] where job.format == .txt && arguments.contains(option) {
            throw .usage("\(name: option.name) names a column of csv, tsv or jsonl; --from says which")
        }
        let column = arguments.text(of: column).map { Name($0) } ?? LinksCommand.column
        let nowColumn = arguments.text(of: nowColumn).map { Name($0) }
        let keys = [column, nowColumn].compactMap(\.self).map(Columns.key)
        let writer = try job.writer(to: job.format == .txt ? .jsonl : nil, isUsed: keys.contains)
        let names = DecodeWork.names(besides: writer.names.map(Columns.key), explains: explains)
        if let columns = writer.columns {
            guard columns.index(of: column) != nil else {
                throw job.columnError(columns.missing(column, job.format) + "; --column names it")
            }
            if let nowColumn, columns.index(of: nowColumn) == nil {
                throw job.columnError(columns.missing(nowColumn, job.format))
            }
            for name in names where columns.index(of: name) != nil {
                throw job.columnError("there is a column \(Columns.shown(name)) already; rename it")
            }
        }
        let isQuiet = arguments.contains(RowJob.quiet)
        let makeWork = { @Sendable in
            DecodeWork(
                judge,
                column: column,
                nowColumn: nowColumn,
                adding: names,
                writer,
                explains: explains,
                countsReferrers: !isQuiet
            )
        }
        let longLines = job.format == .txt ? makeWork().longLines : nil
        return try job.run(writer, adding: names, makeWork, longLines: longLines) { counts in
            isQuiet ? [] : summary(counts)
        }
    }

    /// `3 strings: 2 found, 1 expired`, and `found: 1 from 'anna', 1 from 'bob'`.
    private static func summary(_ counts: Counts) -> [Sentence] {
        let verdicts = zip(Verdict.allCases, counts.verdicts).filter { $0.1 > 0 }
            .map { "\(name: Progress.grouped($0.1)) \(name: $0.0.rawValue)" as Sentence }
        let count = Progress.count(counts.rows - counts.rejected, "string")
        let lines: [Sentence] = verdicts.isEmpty ? [] : ["\(name: count): \(verdicts.joined(separator: ", "))"]
        return lines + [counts.referrers.text.map { "found: \($0)" }].compactMap(\.self)
    }
}
