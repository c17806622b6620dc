import ReferralFoundation

/// The free uses of an unlock that a catalog gives to everybody.
struct Allowance: Equatable {
    let amount: Int
    let refill: CatalogItem.Refill?
    /// The balance at which the app warns; `nil` for no warning.
    let warnAt: Int?
}

extension ShopCatalog {
    /// The allowances, by unlock. Their platforms, versions and editions concern only the offers.
    var allowances: [UnlockID: Allowance] {
        var allowances: [UnlockID: Allowance] = [:]
        for item in items {
            guard case .allowance(let amount, let refill) = item.kind else { continue }
            for unlock in item.grants {
                allowances[unlock] = Allowance(amount: amount, refill: refill, warnAt: item.warnAt)
            }
        }
        return allowances
    }
}

/// The free uses that were spent since the latest refill.
struct FreeUses: Sendable, Equatable {
    let count: Int
    /// The moment of the last one.
    let last: Date

    /// Creates a value. Its date is rounded as in the journal.
    init(count: Int, last: Date) {
        self.count = count
        self.last = Timestamp(last).date
    }
}

extension CatalogItem.Refill {
    /// Whether a moment is in a later day, ISO week or month, in UTC.
    func isLater(_ moment: Date, than other: Date) -> Bool { start(of: moment) > start(of: other) }

    /// The start of the next day, week or month, in UTC.
    func next(after moment: Date) -> Date {
        switch self {
        case .day: start(of: moment) + Self.day
        case .week: start(of: moment) + 7 * Self.day
        // The 32nd day of any month is in the next one.
        case .month: start(of: start(of: moment) + 31 * Self.day)
        }
    }

    private static let day = 86_400.0
    /// About 27,000 years.
    private static let maximumDays = 1e7

    private func start(of moment: Date) -> Date {
        // A journal may contain any moment.
        let days = min(
            max((moment.timeIntervalSince1970 / Self.day).rounded(.down), -Self.maximumDays),
            Self.maximumDays
        )
        // The first day of 1970 was a Thursday.
        let back =
            switch self {
            case .day: 0.0
            case .week: (days + 3) - ((days + 3) / 7).rounded(.down) * 7
            case .month: Double(ISO8601.dayOfMonth(Int(days)) - 1)
            }
        return Date(timeIntervalSince1970: (days - back) * Self.day)
    }
}
