import ReferralBridge

/// Judges the strings in the rows of a thread.
struct DecodeWork: RowWork {
    /// The values that are added to a row.
    static let names = ["verdict", "referrer", "timestamp", "parameters"]

    /// The names of the added values. If a column has the name already, `decoded.` is prepended.
    static func names(besides taken: some Sequence<String>) -> [String] {
        let taken = Set(taken)
        return names.map { taken.contains($0) ? "decoded." + $0 : $0 }
    }

    private static let verdicts = Verdict.allCases

    private let judge: Judge
    private let writer: RowWriter
    /// The column of the string, and its index if there are columns.
    private let column: String
    private let place: Int?
    private let added: [String]
    /// `nil` with signers, since most of the time is spent on signatures.
    private let quick: QuickReading?
    private let verdicts = Self.verdicts
    /// The JSON before the referrer, for each verdict.
    private let beginnings = Self.verdicts.map { Array("{\"verdict\":\"\($0.rawValue)\",\"referrer\":\"".utf8) }

    init(_ judge: Judge, column: String, adding added: [String], _ writer: RowWriter) {
        (self.judge, self.column, self.added, self.writer) = (judge, column, added, writer)
        place = writer.columns?.index(of: column)
        quick = judge.scanner.signers.isEmpty ? QuickReading(judge) : nil
    }

    mutating func append(_ row: RowScanner.Row, of scanner: inout RowScanner, to batch: inout Batch) throws(RowError) {
        let bytes = scanner.bytes.part(row.range)
        guard writer.from != .txt else { return judge(line: bytes, into: &batch) }
        let string: String
        var names = added
        var object: JSONRow?
        if let place {
            string = scanner.text(of: scanner.cells[place]) ?? ""
        } else {
            let row = try JSONRow(bytes)
            string = try self.string(in: row)
            names = try self.names(for: row)
            object = row
        }
        let judgment = judge(string)
        let values = zip(names, Self.values(of: judgment)).map { ($0, $1) }
        try writer.append(row, of: scanner, object, adding: values, to: &batch)
        count(judgment, in: &batch)
    }

    private func judge(line: Bytes, into batch: inout Batch) {
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
        }
        if isRead != true { judge(InputLines.string(line), into: &batch) }
    }

    /// Judges a line with the scanner.
    private func judge(_ line: String, into batch: inout Batch) {
        let judgment = judge(line)
        batch.output.append(JSONText.object(zip(Self.names, Self.values(of: judgment).map(\.json)).map { ($0, $1) }))
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
    }

    private static func values(of judgment: Judgment) -> [CellValue] {
        guard let referral = judgment.link?.referral else {
            return [.string(judgment.verdict.rawValue), .null, .null, .null]
        }
        return [
            .string(judgment.verdict.rawValue), .string(referral.referrer),
            .other(JSONWriter.number(referral.timestamp.milliseconds)), .other(JSONText.parameters(of: referral)),
        ]
    }
}

// MARK: - Objects

private extension DecodeWork {
    func string(in object: JSONRow) throws(RowError) -> String {
        guard let member = object.members.last(where: { $0.name == column }) else { throw RowError(column, "missing") }
        if case .other = member.value { throw RowError(column, "it must be a string") }
        return member.value.cell
    }

    func names(for object: JSONRow) throws(RowError) -> [String] {
        let names = Self.names(besides: object.members.map(\.name))
        if let taken = object.members.first(where: { $0.name.hasPrefix("decoded.") && names.contains($0.name) }) {
            throw RowError(taken.name, "the row has one already")
        }
        return names
    }
}
