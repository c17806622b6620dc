import ReferralBridge
import SiteCheck

/// `referral-tool decode --each`: judges each string of a log by itself, in constant memory.
enum DecodeEach {
    static let flag = Flag("--each", "judges each string of a log by itself")
    private static let column = Option("--column", "NAME", "with --each: the column of the strings, 'link' by default")

    static let usage = Usage.optional(RowJob.log, column) + RowJob.optionalUsage + [RowJob.file]

    static func run(
        _ arguments: Arguments,
        _ scanner: ReferralScanner,
        now: Timestamp,
        reported: Timestamp?
    ) throws(ToolError) -> ExitStatus {
        let job = try RowJob(arguments, format: RowJob.log, default: .txt)
        guard job.format != .txt || !arguments.contains(column) else {
            throw .usage("--column names a column of csv, tsv or jsonl; --from says which")
        }
        let to = job.format == .txt ? .jsonl : job.format
        let guardsFormulas = try job.guardsFormulas(in: to)
        let columns = try job.columns(neededFor: to)
        let column = arguments.text(of: column) ?? LinksCommand.column
        let names = DecodeWork.names(besides: columns?.names ?? [])
        if let columns {
            guard columns.index(of: column) != nil else {
                throw job.columnError(columns.missing(column, job.format) + "; --column names it")
            }
            for name in names where columns.index(of: name) != nil {
                throw job.columnError("there is a column \(name.quoted) already; rename it")
            }
        }
        let writer = RowWriter(from: job.format, to: to, columns: columns, guardsFormulas: guardsFormulas)
        let header = try job.checked { () throws(RowError) in try writer.header(columns, adding: names) }
        return try job.run(columns: columns, to: to, header: header) { badRows in
            let plan = DecodeWork.Plan(
                scanner: scanner,
                now: now,
                reported: reported,
                column: column,
                place: columns?.index(of: column),
                writer: writer,
                badRows: badRows
            )
            return { DecodeWork(plan, columns: columns) }
        } longLines: { work in
            job.format == .txt ? DecodeWork.LongLines(work) : nil
        } summary: { sink in
            arguments.contains(RowJob.quiet) ? nil : summary(sink)
        }
    }

    /// `3 strings: 2 found, 1 expired`.
    private static func summary(_ sink: RowSink) -> String? {
        let counts = zip(Verdict.allCases, sink.verdicts).filter { $0.1 > 0 }
        let verdicts = counts.map { "\(Progress.grouped($0.1)) \($0.0.rawValue)" }
        let count = Progress.count(sink.rowCount - sink.rejectedCount, "string")
        return verdicts.isEmpty ? nil : "\(count): \(verdicts.joined(separator: ", "))"
    }
}
