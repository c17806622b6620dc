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
    private static let guardFormulas = Flag(
        "--guard-formulas",
        "with --each: puts an apostrophe before the added cells that a spreadsheet reads as formulas, such as a referrer =1"
    )

    static let usage =
        Usage.optional(RowJob.log, column, nowColumn, guardFormulas) + RowJob.optionalUsage + [RowJob.file]

    static func run(_ arguments: Arguments, _ judge: Judge, explains: Bool) throws(ToolError) -> ExitStatus {
        let job = try RowJob(arguments, format: RowJob.log, default: .txt)
        for option in [column, nowColumn] where job.format == .txt && arguments.contains(option) {
            throw .usage("\(name: option.name) names a column of csv, tsv or jsonl; --from says which")
        }
        let column = arguments.text(of: column).map { Name($0) } ?? LinksCommand.column
        let nowColumn = arguments.text(of: nowColumn).map { Name($0) }
        let used = [column, nowColumn].compactMap(\.self)
        let columns = try job.columns { used.map(Columns.key).contains($0) }
        let names = DecodeWork.names(besides: columns?.names.map(Columns.key) ?? [], explains: explains)
        if let columns {
            for (name, option) in [(column, Self.column), (nowColumn ?? column, Self.nowColumn)] {
                guard columns.index(of: name) == nil else { continue }
                throw job.columnError(columns.missing(name, job.format, option: option.name))
            }
            if let name = names.first(where: { columns.index(of: $0) != nil }) {
                throw job.columnError("there is a column \(quoted: name.rawValue) already; rename it")
            }
        }
        let to = job.format == .txt ? .jsonl : job.format
        let guardsFormulas = arguments.contains(guardFormulas)
        guard !guardsFormulas || to.separator != nil else {
            throw .usage("--guard-formulas is for csv and tsv; the output is \(name: to.rawValue)")
        }
        let writer = RowWriter(from: job.format, to: to, columns: columns, guardsFormulas: guardsFormulas)
        let work = DecodeWork(
            judge: judge,
            writer: writer,
            column: column,
            nowColumn: nowColumn,
            added: names.map(AddedName.init),
            remedy: explains ? Remedy(judge: judge) : nil
        )
        return try job.run(writer, adding: work.added, { work.append }) { counts in
            let verdicts = Verdict.allCases.compactMap { verdict in
                counts.verdicts[verdict].map { "\(name: CountText.grouped($0)) \(name: verdict.rawValue)" as Sentence }
            }
            let count = CountText.count(counts.rows - counts.rejected, "string")
            return verdicts.isEmpty ? [] : ["\(name: count): \(verdicts.joined(separator: ", "))"]
        }
    }
}

/// Judges the strings in rows.
struct DecodeWork {
    /// The names of the added values. If a column has the name already, `decoded.` is prepended.
    static func names(besides taken: [Name], explains: Bool) -> [Name] {
        let names: [Name] = ["verdict", "referrer", "timestamp", "parameters"] + (explains ? ["reason"] : [])
        return names.map { taken.contains($0) ? Name("decoded." + $0.rawValue) : $0 }
    }

    let judge: Judge
    let writer: RowWriter
    /// The column of the string.
    let column: Name
    /// The column with the moment at which the string was read.
    let nowColumn: Name?
    let added: [AddedName]
    /// Adds the reason.
    let remedy: Remedy?

    func append(_ row: Row, to batch: inout Batch) throws(RowError) {
        if writer.from == .txt { return try append(row, nil, row.bytes, judge, to: &batch) }
        let object = writer.from == .jsonl ? try JSONRow(row.bytes) : nil
        var judge = judge
        if let nowColumn {
            guard let time = TimeText.time(try text(of: nowColumn, row, object)) else {
                throw RowError(nowColumn, TimeText.form)
            }
            judge.now = time
        }
        try text(of: column, row, object).withUTF8Bytes { string throws(RowError) in
            try append(row, object, string, judge, to: &batch)
        }
    }

    /// Appends a row with the judgment of its string. Without a reason, signers and landing pages, no texts are made of it.
    private func append(_ row: Row, _ object: JSONRow?, _ string: Bytes, _ judge: Judge, to batch: inout Batch)
        throws(RowError)
    {
        guard remedy != nil || !judge.scanner.signers.isEmpty || !judge.scanner.landingPages.isEmpty else {
            var failure: RowError?
            do throws(ReferralLinkError) {
                try judge.scanner.judge(bytes: string, now: judge.now, lastReported: judge.reported) {
                    verdict,
                    payload in
                    do throws(RowError) { try append(row, object, verdict, payload, nil, to: &batch) } catch {
                        failure = error
                    }
                }
            } catch {
                try append(row, object, error.verdict, nil, nil, to: &batch)
            }
            if let failure { throw failure }
            return
        }
        let text = string.text ?? ""
        let judgment = judge(text)
        let reason = remedy.map {
            [judgment.reason, $0.hint(for: judgment, of: text)].compactMap(\.self).joined(separator: " ")
        }
        try (judgment.arrival?.referral.payload ?? "").withUTF8Bytes { payload throws(RowError) in
            try append(row, object, judgment.verdict, try? Payload(payload), reason, to: &batch)
        }
    }

    private func append(
        _ row: Row,
        _ object: JSONRow?,
        _ verdict: Verdict,
        _ payload: Payload?,
        _ reason: String?,
        to batch: inout Batch
    ) throws(RowError) {
        let names =
            try object.map { object throws(RowError) in try self.names(for: object).map(AddedName.init) } ?? added
        if writer.from == .txt {
            batch.output.append(ASCII.openBrace)
        } else {
            writer.begin(row, object, to: &batch.output)
        }
        try writer.append(.string(verdict.rawValue), named: names[0], to: &batch.output)
        if let payload {
            try writer.append(payload.referrer, named: names[1], to: &batch.output)
            let time = JSONWriter.number(payload.timestamp.milliseconds)
            try writer.append(.other(time), named: names[2], to: &batch.output)
            try writer.append(JSONText.object(payload.parameters), named: names[3], to: &batch.output)
        } else {
            for name in names[1...3] { try writer.append(.null, named: name, to: &batch.output) }
        }
        if let reason { try writer.append(.string(reason), named: names[4], to: &batch.output) }
        if writer.from == .txt {
            batch.output.append("}\n" as StaticString)
        } else {
            writer.end(row, object, to: &batch.output)
        }
        batch.counts.verdicts[verdict, default: 0] += 1
    }

    /// The content of a row's column or member. One that is not UTF-8 is empty.
    private func text(of name: Name, _ row: Row, _ object: JSONRow?) throws(RowError) -> String {
        guard let object else { return writer.columns?.index(of: name).flatMap { row.text(of: row.cells[$0]) } ?? "" }
        guard let member = object.members.last(where: { $0.name == name }) else { throw RowError(name, "missing") }
        if case .other(let number) = member.value {
            guard name == nowColumn else { throw RowError(name, "it must be a string") }
            return number
        }
        return member.value.cell
    }

    private func names(for object: JSONRow) throws(RowError) -> [Name] {
        let names = Self.names(besides: object.members.map(\.name), explains: remedy != nil)
        if let taken = object.members.first(where: { names.contains($0.name) }) {
            throw RowError(taken.name, "the row has one already")
        }
        return names
    }
}
