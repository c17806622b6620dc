import UnlockCatalog

/// Judges the strings in the rows of a thread.
struct DecodeWork: RowWork {
    /// The values that are added to a row.
    private static let names: [Name] = ["verdict", "referrer", "timestamp", "parameters"]

    /// The names of the added values. If a column has the name already, `decoded.` is prepended.
    static func names(besides taken: some Sequence<Name>, explains: Bool) -> [Name] {
        let taken = Set(taken)
        return (names + (explains ? ["reason"] : [])).map { taken.contains($0) ? Name("decoded." + $0.rawValue) : $0 }
    }

    private static let verdicts = Verdict.allCases

    private let judge: Judge
    private let writer: RowWriter
    /// The column of the string, and its index if there are columns.
    private let column: Name
    private let place: Int?
    /// The column with the moment at which the string was read.
    private let nowColumn: Name?
    private let nowPlace: Int?
    private let added: [Name]
    /// Whether the reason is added.
    private let explains: Bool
    private var countsReferrers: Bool
    /// `nil` with signers, since most of the time is spent on signatures, and with reasons.
    private let quick: QuickReading?
    private let verdicts = Self.verdicts
    /// The JSON before the referrer, for each verdict.
    private let beginnings = Self.verdicts.map { Array("{\"verdict\":\"\($0.rawValue)\",\"referrer\":\"".utf8) }

    init(
        _ judge: Judge,
        column: Name,
        nowColumn: Name?,
        adding added: [Name],
        _ writer: RowWriter,
        explains: Bool,
        countsReferrers: Bool
    ) {
        self.judge = judge
        self.column = column
        self.nowColumn = nowColumn
        self.added = added
        self.writer = writer
        self.explains = explains
        self.countsReferrers = countsReferrers
        place = writer.columns?.index(of: column)
        nowPlace = nowColumn.flatMap { name in writer.columns?.index(of: name) }
        quick = judge.scanner.signers.isEmpty && !explains ? QuickReading(judge) : nil
    }

    mutating func append(_ row: Row, to batch: inout Batch) throws(RowError) {
        let bytes = row.bytes
        guard writer.from != .txt else { return judge(line: bytes, into: &batch) }
        let string: String
        var names = added
        var object: JSONRow?
        var judge = judge
        if let place {
            string = row.text(of: row.cells[place]) ?? ""
            if let nowPlace { judge.now = try now(row.text(of: row.cells[nowPlace]) ?? "") }
        } else {
            let line = try JSONRow(bytes)
            string = try self.string(in: line)
            names = try self.names(for: line)
            if let nowColumn { judge.now = try now(line.members.last { $0.name == nowColumn }?.value.cell ?? "") }
            object = line
        }
        let judgment = judge(string)
        let values = zip(names, values(of: judgment, string, judge)).map { ($0, $1) }
        try writer.append(row, object, adding: values, to: &batch)
        count(judgment, in: &batch)
    }

    private func now(_ text: String) throws(RowError) -> Timestamp {
        guard let time = TimeText.time(text) else { throw RowError(nowColumn ?? "", TimeText.form) }
        return time
    }

    private mutating func judge(line: Bytes, into batch: inout Batch) {
        let isRead = quick?.read(line) { reading in
            let verdict = verdicts.firstIndex(of: reading.verdict) ?? 0
            batch.output.append(beginnings[verdict])
            batch.output.append(reading.referrer)
            batch.output.append("\",\"timestamp\":" as StaticString)
            batch.output.append(reading.timestamp)
            batch.output.append(",\"parameters\":{" as StaticString)
            batch.output.append(reading.parameters)
            batch.output.append("}}\n" as StaticString)
            batch.counts.verdicts[verdict] += 1
            if countsReferrers, reading.verdict == .found { batch.counts.referrers.add(reading.referrer) }
        }
        if isRead != true { judge(InputLines.string(line, keepsText: explains), into: &batch) }
        if batch.counts.referrers.hasTooMany { countsReferrers = false }
    }

    /// Judges a line with the scanner.
    private func judge(_ line: String, into batch: inout Batch) {
        let judgment = judge(line)
        let values = values(of: judgment, line, judge).map(\.json)
        batch.output.append(JSONText.object(zip(added, values).map { ($0.rawValue, $1) }))
        batch.output.append(ASCII.lineFeed)
        count(judgment, in: &batch)
    }

    /// Judges lines that are longer than a row may be.
    var longLines: LongLineWork {
        var line = LongLine()
        return { piece, isFirst, isLast, batch in
            guard let string = line.append(piece, isFirst: isFirst, isLast: isLast) else { return }
            batch.counts.rows += 1
            judge(string, into: &batch)
        }
    }

    private func count(_ judgment: Judgment, in batch: inout Batch) {
        batch.counts.verdicts[verdicts.firstIndex(of: judgment.verdict) ?? 0] += 1
        if countsReferrers, judgment.verdict == .found, let referral = judgment.arrival?.referral {
            JSONText.string(referral.referrer).withUTF8Bytes {
                batch.counts.referrers.add($0.part(1..<$0.count - 1))
            }
        }
    }

    private func values(of judgment: Judgment, _ string: String, _ judge: Judge) -> [CellValue] {
        var values: [CellValue] = [.string(judgment.verdict.rawValue), .null, .null, .null]
        if let referral = judgment.arrival?.referral {
            values[1] = .string(referral.referrer)
            values[2] = .other(JSONWriter.number(referral.timestamp.milliseconds))
            values[3] = .other(JSONText.parameters(of: referral))
        }
        if explains {
            let remedy = Remedy(judge: judge)
            let hint =
                remedy.hint(for: judgment, of: string)
                ?? remedy.text(judgment.verdict, ageMilliseconds: judgment.ageMilliseconds ?? 0)
            values.append(.string("\(judgment.reason) \(hint)"))
        }
        return values
    }
}

// MARK: - Objects

private extension DecodeWork {
    func string(in object: JSONRow) throws(RowError) -> String {
        guard let member = object.members.last(where: { $0.name == column }) else { throw RowError(column, "missing") }
        if case .other = member.value { throw RowError(column, "it must be a string") }
        return member.value.cell
    }

    func names(for object: JSONRow) throws(RowError) -> [Name] {
        let names = Self.names(besides: object.members.map(\.name), explains: explains)
        if let taken = object.members.first(where: {
            $0.name.rawValue.utf8.starts(with: "decoded.".utf8) && names.contains($0.name)
        }) {
            throw RowError(taken.name, "the row has one already")
        }
        return names
    }
}
