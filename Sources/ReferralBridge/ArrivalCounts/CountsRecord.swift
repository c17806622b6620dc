import ReferralFoundation

/// The file of ``ArrivalCounts``: how often what happened, and the arrivals to which events belong. Without these, it is the export.
struct CountsRecord: Sendable, Equatable, Codable {
    var version = 1
    let app: String
    var rows: [CountsRow] = []
    /// The sum of the rows that were dropped; `nil` if there are none.
    var dropped: Int?
    var arrivals: [CountedArrival]? = []

    /// The number of arrivals that are kept. A bridge that ends before its ledger is saved reports its arrivals again.
    private static let maximumArrivals = 32

    /// Counts an arrival, unless it was counted before.
    mutating func add(_ arrival: CountedArrival) {
        let (known, row) = (arrivals ?? [], arrival.row)
        let name = (arrival.tap, row.referrer, row.group)
        guard !known.contains(where: { ($0.tap, $0.row.referrer, $0.row.group) == name }) else { return }
        arrivals = (known + [arrival]).suffix(Self.maximumArrivals)
        add(row)
    }

    /// Counts an event under the name of the last arrival, unless that is too long ago.
    mutating func add(event: String, at moment: Timestamp) {
        var row = CountsRow(day: moment.day, event: event)
        if var last = arrivals?.popLast() {
            // If the clock was set back since, the time begins anew. Otherwise it might last for years.
            last.moment = min(last.moment, moment)
            let age = moment.milliseconds - last.moment.milliseconds
            let isRecent = age < ArrivalCounts.eventWindow * 1_000
            if isRecent { (row.referrer, row.group) = (last.row.referrer, last.row.group) }
            arrivals?.append(last)
        }
        add(row)
    }

    mutating func add(_ row: CountsRow) {
        let index = rows.firstIndex { known in
            var same = row
            same.count = known.count
            return same == known
        }
        if let index {
            rows[index].count += row.count
        } else if rows.count < ArrivalCounts.maximumRows {
            rows.append(row)
        } else if row.referrer != nil {
            var other = row
            (other.referrer, other.group) = (nil, CountsRow.other)
            add(other)
        } else if let oldest = rows.indices.min(by: { rows[$0].day < rows[$1].day }) {
            dropped = (dropped ?? 0) + rows.remove(at: oldest).count
            rows.append(row)
        }
    }
}

/// An arrival that was counted: the moments of its tap and of its arrival, and its row.
struct CountedArrival: Sendable, Equatable, Codable {
    var tap: Timestamp
    var moment: Timestamp
    var row: CountsRow
}

/// How often one thing happened on a day: a check ended, or an event.
struct CountsRow: Sendable, Equatable, Codable {
    /// The day in UTC, such as `2026-11-28`.
    var day: String
    /// The road and the outcome of a check.
    var road: Road?
    var outcome: String?
    /// The name of an event.
    var event: String?
    /// The referrer, or a group of referrers, if there is one.
    var referrer: String?
    var group: String?
    var count = 1

    /// The group of referrers beyond the limits.
    static let other = "other"
}

extension Timestamp {
    /// The day in UTC, such as `2026-11-28`.
    var day: String { date.formatted(.iso8601.year().month().day()) }
}
