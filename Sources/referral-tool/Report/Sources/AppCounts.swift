import ReferralFoundation

/// The counts of devices, as `ArrivalCounts` exports them: one JSON object per line.
///
///     {"version":1,"app":"1300230302","rows":[{"day":"2026-10-01","road":"pasteboard","outcome":"found","referrer":"anna","count":3}]}
struct AppCounts {
    /// The app whose counts are read. Without one, it is that of the first export, and another one is an error.
    let chosen: String?
    private(set) var app: String?

    private struct Export: Decodable {
        let version, dropped: Int?
        let app: String?
        let rows: [Row]
    }

    private struct Row: Decodable {
        var day, road, outcome, referrer, group, event: String?
        var count: Int?
    }

    mutating func count(_ stream: ByteStream, in tally: Tally) throws(ToolError) {
        let input = RowInput(stream, format: .jsonl)
        while let block = try input.next() {
            var rows = RowScanner(block.bytes, format: .jsonl, line: block.line)
            while let row = rows.next() {
                if row.bytes.allSatisfy(ASCII.isWhiteSpace) { continue }
                try count(row.bytes, at: "\(whole: stream.name):\(row.line)", in: tally)
            }
        }
    }

    private mutating func count(_ line: Bytes, at place: Sentence, in tally: Tally) throws(ToolError) {
        guard let export = try? JSONDecoder().decode(Export.self, from: Data(line)), export.version == 1 else {
            throw .badData("\(place) isn't an export of the app's counts, of version 1 and on one line")
        }
        app = chosen ?? app ?? export.app
        if let app, let other = export.app, app != other {
            let both: Sentence = "these counts are of the app \(name: other), and others of \(name: app)"
            guard chosen != nil else { throw .badData("\(place): \(both); choose one with --app-id") }
            tally.remark("exports of another app")
        } else {
            for row in export.rows { Self.count(row, in: tally) }
            tally.remark("the app's counts of the oldest days, which devices had no room for", export.dropped ?? 0)
        }
    }

    private static func count(_ row: Row, in tally: Tally) {
        let (count, names) = (row.count ?? 1, [row.road, row.outcome, row.event].compactMap(\.self))
        let isReadable = 0...1_000_000_000 ~= count && !names.isEmpty && names.allSatisfy(\.isName)
        guard let day = row.day.flatMap(Day.init), isReadable else {
            return tally.remark("rows of the app's counts that can't be read")
        }
        guard tally.scope.contains(day) else { return tally.remark("rows of the app's counts on other days") }
        let group = row.group.flatMap(NameTable.Group.init).map(NameTable.place)
        let referrer = group ?? tally.tables.referrers.place(of: row.referrer ?? "")
        let column = tally.column(of: row.event ?? row.outcome ?? "unknown")
        if row.event != nil { return tally.tables.add(count, to: column, on: day, referrer) }
        let road = tally.tables.roads.place(of: row.road ?? "unknown")
        tally.tables.roads.rows[road].add(count, to: column)
        guard row.outcome == Verdict.found.rawValue else { return }
        tally.tables.add(count, to: Measure.arrived.rawValue, on: day, referrer)
    }
}
