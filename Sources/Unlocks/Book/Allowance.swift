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
        // Each has one unlock of its own.
        let allowances = items.compactMap { item -> (UnlockID, Allowance)? in
            guard case .allowance(let amount, let refill) = item.kind else { return nil }
            return (item.grants[0], Allowance(amount: amount, refill: refill, warnAt: item.warnAt))
        }
        return Dictionary(uniqueKeysWithValues: allowances)
    }
}

extension CatalogItem.Refill {
    /// Whether a moment is in a later day, ISO week or month, in UTC.
    func isLater(_ moment: Date, than other: Date) -> Bool { period(of: moment).start > period(of: other).start }

    /// The start of the next day, week or month, in UTC.
    func next(after moment: Date) -> Date { period(of: moment).end }

    private static let calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        return calendar
    }()

    private func period(of moment: Date) -> DateInterval {
        // A journal may contain any moment.
        let moment = min(max(moment, .distantPast), .distantFuture)
        let component: Calendar.Component =
            switch self {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            }
        return Self.calendar.dateInterval(of: component, for: moment) ?? DateInterval(start: moment, duration: 86_400)
    }
}
