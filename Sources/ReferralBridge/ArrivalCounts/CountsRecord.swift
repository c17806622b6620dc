import ReferralFoundation

/// The file of ``ArrivalCounts``: how often what happened, and the arrivals to which events belong.
struct CountsRecord: Sendable, Equatable, Codable {
    private(set) var rows: [CountsRow] = []
    private var arrivals: [CountedArrival] = []

    /// The number of arrivals that are kept. A bridge that ends before its ledger is saved reports its arrivals again.
    private static let maximumArrivals = 32

    /// Counts an arrival, unless it was counted before.
    mutating func add(_ arrival: CountedArrival, _ row: CountsRow) {
        guard !arrivals.contains(where: { $0.tap == arrival.tap && $0.name == arrival.name }) else { return }
        arrivals = (arrivals + [arrival]).suffix(Self.maximumArrivals)
        add(row)
    }

    /// The name under which an event at a moment counts, that of the last arrival.
    mutating func name(at moment: Timestamp) -> CountedName {
        guard let last = arrivals.indices.last else { return CountedName() }
        // If the clock was set back since, the time begins anew. Otherwise it might last for years.
        arrivals[last].moment = min(arrivals[last].moment, moment)
        let age = moment.milliseconds - arrivals[last].moment.milliseconds
        return age < ArrivalCounts.eventWindow * 1_000 ? arrivals[last].name : CountedName()
    }

    mutating func add(_ row: CountsRow) {
        if increase(row) { return }
        var row = row
        if rows.count >= ArrivalCounts.maximumRows {
            if row.referrer != nil {
                (row.referrer, row.group) = (nil, CountedName.other.group)
                if increase(row) { return }
            }
            if let oldest = rows.indices.min(by: { rows[$0].day < rows[$1].day }) { rows.remove(at: oldest) }
        }
        rows.append(row)
    }

    /// Adds to the row that is about the same; returns whether there is one.
    private mutating func increase(_ row: CountsRow) -> Bool {
        guard let index = rows.firstIndex(where: { $0.with(count: row.count) == row }) else { return false }
        rows[index].count += row.count
        return true
    }

    mutating func removeAll() { rows = [] }
}

/// What ``ArrivalCounts/export()`` returns, as JSON on one line.
struct CountsExport: Codable {
    var version = 1
    var app: String
    var rows: [CountsRow]
}

/// An arrival that was counted: the moments of its tap and of its arrival, and its name.
struct CountedArrival: Sendable, Equatable, Codable {
    var tap: Timestamp
    var moment: Timestamp
    var name: CountedName
}

/// The referrer, or a group of referrers, if there is one.
struct CountedName: Sendable, Equatable, Codable {
    var referrer: String?
    var group: String?

    /// Referrers beyond the limits.
    static let other = CountedName(group: "other")
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
    var referrer: String?
    var group: String?
    var count = 1

    func with(count: Int) -> CountsRow {
        var row = self
        row.count = count
        return row
    }
}
