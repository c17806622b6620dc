import ReferralBridge
import UnlockCatalog

/// The counts of one device, as `ArrivalCounts` exports them. A file has one object per line, or one object.
///
///     {"version":1,"app":"1300230302","rows":[{"day":"2026-10-01","road":"pasteboard","outcome":"found","referrer":"anna","count":3}]}
enum AppCounts {
    private static let version = 1
    private static let maximumName = 64

    static func count(_ bytes: [UInt8], name: String, in tally: inout Tally) throws(ToolError) {
        var line = 0
        var failure: ToolError?
        bytes.withUnsafeBufferPointer { bytes in
            // A document may be on many lines.
            if let object = try? JSONValue(object: bytes) {
                do throws(ToolError) { try count(object, in: &tally, "\(name)") } catch { failure = error }
                return
            }
            for piece in bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) where failure == nil {
                line += 1
                let piece = Bytes(rebasing: piece)
                guard !piece.allSatisfy(ASCII.isWhiteSpace) else { continue }
                guard let object = try? JSONValue(object: piece) else {
                    tally.leaveOut("lines of the app's counts that aren't JSON objects")
                    continue
                }
                do throws(ToolError) { try count(object, in: &tally, "\(name):\(line)") } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    private static func count(_ object: JSONValue, in tally: inout Tally, _ place: String) throws(ToolError) {
        var version: Int?
        var rows: [JSONValue]?
        try? object.readObject { name, value throws(JSONError) in
            if name.isEqual(to: "version") { version = value.wholeNumber }
            if name.isEqual(to: "rows") { rows = value.array }
        }
        guard let version else { throw .badData("\(whole: place): the app's counts have no version") }
        guard version == Self.version else {
            throw .badData(
                "\(whole: place): the app's counts are of version \(version), and this command reads version 1"
            )
        }
        guard let rows else { throw .badData("\(whole: place): the app's counts have no rows") }
        for row in rows { count(row: row, in: &tally) }
        tally.sources[.counts, default: 0] += 1
    }

    private static func count(row: JSONValue, in tally: inout Tally) {
        var (day, referrer): (Day?, String?)
        var (road, outcome, group, event): (Name?, Name?, Name?, Name?)
        var count = 1
        do {
            try row.readObject { name, value throws(JSONError) in
                switch Name(name.content) {
                case "day": day = value.string.flatMap(Day.init)
                case "road": road = value.string.map { Name($0) }
                case "outcome": outcome = value.string.map { Name($0) }
                case "referrer": referrer = value.string
                case "group": group = value.string.map { Name($0) }
                case "event": event = value.string.map { Name($0) }
                case "count": count = value.wholeNumber ?? -1
                default: break
                }
            }
        } catch { return tally.leaveOut("rows of the app's counts that can't be read") }
        let names = [road, outcome, event].compactMap(\.self)
        guard let day, count >= 0, !names.isEmpty, names.allSatisfy({ 1...maximumName ~= $0.rawValue.utf8.count })
        else {
            return tally.leaveOut("rows of the app's counts that can't be read")
        }
        guard tally.scope.contains(day) else { return tally.leaveOut("rows on other days") }
        let place =
            switch group {
            case "other": NameTable.place(of: .other)
            case "invitations": NameTable.place(of: .invitations)
            default: tally.referrers.place(of: referrer ?? "")
            }
        if let event { return tally.add(count, toEvent: event, on: day, place) }
        let ended = outcome ?? "unknown"
        tally.add(count, road: road ?? "unknown", outcome: ended, in: tally.scope.period(of: day))
        guard ended == Name(Verdict.found.rawValue) else { return }
        tally.add(count, to: .arrived, on: day, place)
    }
}
