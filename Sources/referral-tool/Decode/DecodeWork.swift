import ReferralBridge

/// Judges the strings in the rows of a thread.
struct DecodeWork: RowWork {
    /// The values for all rows.
    struct Plan: Sendable {
        let scanner: ReferralScanner
        let now: Timestamp
        let reported: Timestamp?
        /// The column of the string, and its index if there are columns.
        let column: String
        let place: Int?
        let writer: RowWriter
        let badRows: BadRows
    }

    /// The values that are added to a row.
    static let names = ["verdict", "referrer", "timestamp", "parameters"]

    /// The names of the added values. If a column has the name already, `decoded.` is prepended.
    static func names(besides taken: some Sequence<String>) -> [String] {
        let taken = Set(taken)
        return names.map { taken.contains($0) ? "decoded." + $0 : $0 }
    }

    private static let verdicts = Verdict.allCases

    private let plan: Plan
    private let columnCount: Int
    private let added: [String]
    private let quick: QuickReading
    private let verdicts = Self.verdicts
    /// The JSON before the referrer, for each verdict.
    private let beginnings = Self.verdicts.map { Array("{\"verdict\":\"\($0.rawValue)\",\"referrer\":\"".utf8) }

    init(_ plan: Plan, columns: Columns?) {
        self.plan = plan
        columnCount = columns?.names.count ?? 0
        added = Self.names(besides: columns?.names ?? [])
        quick = QuickReading(plan.scanner, now: plan.now, reported: plan.reported)
    }

    mutating func process(_ row: RowScanner.Row, of scanner: inout RowScanner, into batch: inout Batch) {
        let bytes = scanner.bytes.part(row.range)
        guard plan.writer.from != .txt else { return judge(line: bytes, into: &batch) }
        guard !row.range.isEmpty else { return }
        let start = batch.output.count
        batch.rowCount += 1
        do throws(RowError) {
            try scanner.check(row)
            if let place = plan.place {
                try scanner.checkCells(of: row, columns: columnCount)
                let (added, verdict) = values(scanner.value(of: scanner.cells[place]).text ?? "", named: self.added)
                batch.formulaCount += try plan.writer.append(row, of: scanner, adding: added, to: &batch.output)
                count(verdict, in: &batch)
            } else {
                let object = try JSONRow(bytes)
                let (added, verdict) = values(try string(in: object), named: try names(for: object))
                batch.formulaCount += try plan.writer.append(object, row, of: scanner, adding: added, to: &batch.output)
                count(verdict, in: &batch)
            }
        } catch {
            batch.output.truncate(to: start)
            plan.badRows.append(row, of: scanner, error, to: &batch)
        }
    }
}

// MARK: - Lines

extension DecodeWork {
    private func judge(line: Bytes, into batch: inout Batch) {
        let isRead = quick.read(line) { reading in
            let verdict = verdicts.firstIndex(of: reading.verdict) ?? 0
            let beginning = beginnings[verdict]
            let (afterReferrer, afterTimestamp): (StaticString, StaticString) = (
                "\",\"timestamp\":", ",\"parameters\":{"
            )
            batch.output.makeRoom(
                for: beginning.count + reading.referrer.count + reading.timestamp.count + reading.parameters.count + 64
            )
            batch.output.appendUnchecked(beginning)
            batch.output.appendUnchecked(reading.referrer)
            batch.output.appendUnchecked(afterReferrer.bytes)
            batch.output.appendUnchecked(reading.timestamp)
            batch.output.appendUnchecked(afterTimestamp.bytes)
            batch.output.appendUnchecked(reading.parameters)
            batch.output.append("}}\n")
            batch.verdicts[verdict] += 1
            batch.rowCount += 1
        }
        if !isRead { judge(InputLines.string(line), into: &batch) }
    }

    /// Judges a line with the scanner.
    fileprivate func judge(_ line: String, into batch: inout Batch) {
        let (added, verdict) = values(line, named: Self.names)
        batch.output.append(JSONText.object(added.map { ($0.name, $0.json) }))
        batch.output.append(ASCII.lineFeed)
        batch.rowCount += 1
        count(verdict, in: &batch)
    }

    private func count(_ verdict: Verdict, in batch: inout Batch) {
        batch.verdicts[verdicts.firstIndex(of: verdict) ?? 0] += 1
    }

    private func values(_ string: String, named names: [String]) -> ([RowWriter.Added], Verdict) {
        let judgment = plan.scanner.judge(string, now: plan.now, lastReported: plan.reported)
        let referral = judgment.link?.referral
        let values: [RowWriter.Added.Value] = [
            .text(judgment.verdict.rawValue),
            referral.map { .text($0.referrer) } ?? .nothing,
            referral.map { .json(JSONText.number($0.timestamp.milliseconds)) } ?? .nothing,
            referral.map { .json(JSONText.parameters(of: $0)) } ?? .nothing,
        ]
        return (zip(names, values).map { RowWriter.Added(name: $0, value: $1) }, judgment.verdict)
    }

    /// Judges lines that are longer than a row may be.
    final class LongLines: LongLineWork {
        private let work: DecodeWork
        private var line = LongLine()

        init(_ work: DecodeWork) { self.work = work }

        func process(_ piece: Bytes, isFirst: Bool, isLast: Bool, into batch: inout Batch) {
            if isFirst { line = LongLine() }
            line.append(piece)
            if isLast { work.judge(line.string, into: &batch) }
        }
    }
}

// MARK: - Objects

extension DecodeWork {
    private func string(in object: JSONRow) throws(RowError) -> String {
        guard let member = object.members.last(where: { $0.name == plan.column }) else {
            throw RowError(plan.column, "missing")
        }
        switch member.value {
        case .string(let text): return text
        case .null: return ""
        case .other: throw RowError(plan.column, "it must be a string")
        }
    }

    private func names(for object: JSONRow) throws(RowError) -> [String] {
        let names = Self.names(besides: object.members.map(\.name))
        if let taken = object.members.first(where: { $0.name.hasPrefix("decoded.") && names.contains($0.name) }) {
            throw RowError(taken.name, "the row has one already")
        }
        return names
    }
}
