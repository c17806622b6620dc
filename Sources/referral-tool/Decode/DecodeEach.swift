import ReferralBridge

/// `referral-tool decode --each`: every string of a log judged by itself, as many as there are.
enum DecodeEach {
    static let options: [Option] = [.flag("--each"), .value("--column")] + RowJob.options

    /// The column that holds the strings, if nobody says another; `links` gives it that name.
    private static let standardColumn = LinksCommand.column

    static func run(
        _ arguments: Arguments,
        _ scanner: ReferralScanner,
        now: Timestamp,
        reported: Timestamp?
    ) throws(ToolError) -> ExitStatus {
        for option in ["--json", "--explain"] where arguments.contains(option) {
            throw .usage("\(option) does not go with --each, which prints a line of JSON for each string")
        }
        let job = try RowJob(arguments, formats: [.txt, .csv, .tsv, .jsonl], default: .txt)
        guard job.format != .txt || !arguments.contains("--column") else {
            throw .usage("--column names a column of csv, tsv or jsonl; --from says which")
        }
        let to = job.format == .txt ? .jsonl : job.format
        let guardsFormulas = try job.guardsFormulas(in: to)
        let columns = try job.columns(neededFor: to)
        let column = arguments["--column"] ?? standardColumn
        let names = DecodeWork.names(besides: columns?.names ?? [])
        var place: Int?
        if let columns {
            place = columns.index(of: column)
            guard place != nil else {
                throw job.badColumns(columns.missing(column, job.format) + "; --column names it")
            }
            for name in names where columns.index(of: name) != nil {
                throw job.badColumns("there is a column \(ToolError.quoted(name)) already; rename it")
            }
        }
        let writer = RowWriter(from: job.format, to: to, columns: columns, guardsFormulas: guardsFormulas)
        let header = try job.checked { () throws(RowError) in try writer.header(columns, adding: names) }
        return try job.run(columns: columns, to: to, header: header) { badRows in
            let plan = DecodeWork.Plan(
                scanner: scanner,
                now: now,
                reported: reported,
                column: job.format == .txt ? nil : column,
                place: place,
                writer: writer,
                badRows: badRows
            )
            return { DecodeWork(plan, columns: columns) }
        } longLines: { work in
            job.format == .txt ? DecodeWork.LongLines(work) : nil
        } summary: { sink in
            arguments.contains("--quiet") ? nil : summary(sink)
        }
    }

    /// `3 strings: 2 found, 1 expired`.
    private static func summary(_ sink: RowSink) -> String? {
        let counts = zip(Verdict.allCases, sink.verdicts).filter { $0.1 > 0 }
        let fallen = counts.map { "\(Progress.grouped($0.1)) \($0.0.rawValue)" }
        let count = Progress.count(sink.rowCount - sink.badCount, "string")
        return fallen.isEmpty ? nil : "\(count): \(fallen.joined(separator: ", "))"
    }
}
