import ReferralFoundation

/// The file of ``ArrivalCounts``: how often what happened, and the arrivals to which events belong.
struct CountsRecord: Sendable, Equatable, Codable {
    private(set) var rows: [CountsRow] = []
    /// The sum of the rows that were dropped; `nil` if there are none.
    private(set) var dropped: Int?
    private(set) var arrivals: [CountedArrival] = []

    /// The number of arrivals that are kept. A bridge that ends before its ledger is saved reports its arrivals again.
    private static let maximumArrivals = 32

    /// Counts an arrival, unless it was counted before.
    mutating func add(_ arrival: CountedArrival, _ row: CountsRow) {
        guard !arrivals.contains(where: arrival.isSame) else { return }
        arrivals = (arrivals + [arrival]).suffix(Self.maximumArrivals)
        add(row)
    }

    /// The arrival to which an event at a moment belongs.
    mutating func arrival(before moment: Timestamp) -> CountedArrival? {
        guard let last = arrivals.indices.last else { return nil }
        // If the clock was set back since, the time begins anew. Otherwise it might last for years.
        arrivals[last].moment = min(arrivals[last].moment, moment)
        let age = moment.milliseconds - arrivals[last].moment.milliseconds
        return age < ArrivalCounts.eventWindow * 1_000 ? arrivals[last] : nil
    }

    // MARK: Rows

    mutating func add(_ row: CountsRow) {
        if increase(row) { return }
        var row = row
        if row.referrer != nil, rows.count(where: { $0.referrer != nil }) >= ArrivalCounts.maximumNamedRows {
            row = row.withoutReferrer
            if increase(row) { return }
        }
        if rows.count >= ArrivalCounts.maximumRows { dropOldest() }
        rows.append(row)
    }

    /// Adds to the row that is about the same; returns whether there is one.
    private mutating func increase(_ row: CountsRow) -> Bool {
        guard let index = rows.firstIndex(where: row.isSame) else { return false }
        rows[index].count &+= row.count
        return true
    }

    private mutating func dropOldest() {
        guard let oldest = rows.indices.min(by: { rows[$0].day < rows[$1].day }) else { return }
        let row = rows.remove(at: oldest)
        if row.referrer == nil || !increase(row.withoutReferrer) { dropped = (dropped ?? 0) &+ row.count }
    }

    // MARK: Exports

    func export(for app: AppID) -> CountsExport {
        CountsExport(version: 1, app: app.description, rows: rows, dropped: dropped)
    }

    mutating func removeAll() { (rows, dropped) = ([], nil) }

    /// Removes what was exported. What was counted since stays.
    mutating func remove(_ export: CountsExport) {
        for row in export.rows {
            guard let index = rows.firstIndex(where: row.isSame) else { continue }
            rows[index].count &-= row.count
        }
        rows.removeAll { $0.count <= 0 }
        dropped = dropped.flatMap { dropped in dropped > export.dropped ?? 0 ? dropped &- (export.dropped ?? 0) : nil }
    }
}

/// An arrival that was counted.
struct CountedArrival: Sendable, Equatable, Codable {
    /// The moment of the tap.
    var tap: Timestamp
    /// The moment of the arrival.
    var moment: Timestamp
    var referrer: String?
    var group: String?

    func isSame(as other: CountedArrival) -> Bool {
        tap == other.tap && referrer.isSame(as: other.referrer) && group.isSame(as: other.group)
    }
}
