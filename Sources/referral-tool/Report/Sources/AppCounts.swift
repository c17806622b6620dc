import ReferralFoundation
import UnlockCatalog

/// The counts of devices, as `ArrivalCounts` exports them: one JSON object per line, or one object.
///
///     {"version":1,"app":"1300230302","rows":[{"day":"2026-10-01","road":"pasteboard","outcome":"found","referrer":"anna","count":3}]}
struct AppCounts {
    /// The app of all files. If it is chosen, the counts of other apps are left out.
    private var app: String?
    private let isChosen: Bool

    init(app: String?) { (self.app, isChosen) = (app, app != nil) }

    private struct Export: Decodable {
        let version: Int
        let app: String?
        let rows: [Row]
    }

    private struct Row: Decodable {
        var day, road, outcome, referrer, group, event: String?
        var count: Int?
    }

    mutating func count(_ bytes: [UInt8], name: String, in tally: inout Tally) throws(ToolError) {
        // A document may be on many lines.
        if let document = try? JSONDecoder().decode(Export.self, from: Data(bytes)) {
            return try count(document, in: &tally, "\(whole: name)")
        }
        let lines = bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy(ASCII.isWhiteSpace) {
            let place: Sentence = "\(whole: name):\(index + 1)"
            guard let export = try? JSONDecoder().decode(Export.self, from: Data(line)) else {
                throw .badData("\(place) isn't an export of the app's counts")
            }
            try count(export, in: &tally, place)
        }
    }

    private mutating func count(_ export: Export, in tally: inout Tally, _ place: Sentence) throws(ToolError) {
        guard export.version == 1 else {
            throw .badData(
                "\(place): the app's counts are of version \(export.version), and this command reads version 1"
            )
        }
        if let app, let other = export.app, app != other {
            guard !isChosen else { return tally.leaveOut("exports of another app") }
            throw .badData(
                "\(place): these counts are of the app \(name: other), and others of \(name: app); choose one with --app-id"
            )
        }
        app = app ?? export.app
        for row in export.rows { Self.count(row, in: &tally) }
        tally.add(.counts, 1)
    }

    private static func count(_ row: Row, in tally: inout Tally) {
        let (count, names) = (row.count ?? 1, [row.road, row.outcome, row.event].compactMap(\.self))
        guard let day = row.day.flatMap(Day.init), count >= 0, !names.isEmpty,
            names.allSatisfy({ 1...64 ~= $0.utf8.count })
        else { return tally.leaveOut("rows of the app's counts that can't be read") }
        guard tally.scope.contains(day) else { return tally.leaveOut("rows on other days") }
        let group = row.group.flatMap(NameTable.Group.init)
        let referrer = row.referrer ?? ""
        let place = group.map(NameTable.place) ?? referrer.withUTF8Bytes { tally.counts.referrers.place(of: $0) }
        if let event = row.event {
            return tally.counts.change(on: day, place) { $0.add(count, toEvent: Name(event)) }
        }
        tally.add(count, road: Name(row.road ?? "unknown"), outcome: Name(row.outcome ?? "unknown"))
        if row.outcome == Verdict.found.rawValue { tally.counts.change(on: day, place) { $0[.arrived] &+= count } }
    }
}
