import ReferralFoundation

/// What ``ArrivalCounts/export()`` returns, as JSON on one line.
struct CountsExport: Sendable, Equatable, Codable {
    var version: Int
    var app: String
    var rows: [CountsRow]
    /// The sum of the rows that weren't kept; `nil` if there are none.
    var dropped: Int?
}

/// How often one thing happened on a day: a check ended, or an event.
struct CountsRow: Sendable, Equatable, Codable {
    /// The day in UTC, such as `2026-11-28`.
    var day: String
    /// The road and the outcome of a check.
    var road: String?
    var outcome: String?
    /// The name of an event.
    var event: String?
    /// The referrer, or a group of referrers, if there is one.
    var referrer: String?
    var group: String?
    var count = 1

    /// Whether two rows are about the same.
    func isSame(as other: CountsRow) -> Bool {
        day == other.day && referrer.isSame(as: other.referrer) && group.isSame(as: other.group)
            && road.isSame(as: other.road) && outcome.isSame(as: other.outcome) && event.isSame(as: other.event)
    }

    /// The row of the referrers beyond the limit.
    var withoutReferrer: CountsRow {
        var row = self
        (row.referrer, row.group) = (nil, ArrivalCounts.otherGroup)
        return row
    }
}

extension String? {
    /// Whether two names have the same bytes.
    func isSame(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.utf8.elementsEqual(other.utf8)
    }
}
