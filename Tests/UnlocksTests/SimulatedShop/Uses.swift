import Foundation
import Unlocks

/// The bounds of how often something counted was used in an environment: the free uses since their last refill, when the last of
/// them was, and the bought ones.
struct Uses {
    /// The free uses of a catalog.
    struct Allowance: Equatable {
        let amount: Int
        var refill: Refill?
        var warnAt: Int?
    }

    enum Refill: String { case day, week, month }

    private var free = 0...0
    private var last = Date.distantPast...Date.distantPast
    /// What was spent of the bought ones.
    private(set) var spent = 0...0

    /// What is left of the free uses.
    func left(of allowance: Allowance?, at now: ClosedRange<Date>) -> ClosedRange<Int> {
        guard let allowance else { return 0...0 }
        let used = used(allowance.refill, at: now)
        return max(0, allowance.amount - used.upperBound)...max(0, allowance.amount - used.lowerBound)
    }

    private func used(_ refill: Refill?, at now: ClosedRange<Date>) -> ClosedRange<Int> {
        guard let refill else { return free }
        if refill.number(of: now.lowerBound) > refill.number(of: last.upperBound) { return 0...0 }
        return refill.number(of: now.upperBound) > refill.number(of: last.lowerBound) ? 0...free.upperBound : free
    }

    /// Spends some, the free ones first.
    mutating func spend(_ count: Int, of allowance: Allowance?, at now: ClosedRange<Date>) {
        let (amount, used) = (allowance?.amount ?? 0, used(allowance?.refill, at: now))
        /// How many of them were free, if so many were used before.
        func freely(_ used: Int) -> Int { min(count, max(0, amount - used)) }
        let (most, least) = (freely(used.lowerBound), freely(used.upperBound))
        spent = spent.lowerBound + count - most...spent.upperBound + count - least
        guard most > 0 else { return }
        // The more were used before, the more are used now.
        free = used.lowerBound + most...used.upperBound + least
        last =
            (least > 0 ? now.lowerBound : min(last.lowerBound, now.lowerBound))...max(last.upperBound, now.upperBound)
    }

    /// Spends some, or doesn't.
    mutating func maySpend(_ count: Int, of allowance: Allowance?, at now: ClosedRange<Date>) {
        let before = self
        spend(count, of: allowance, at: now)
        join(before)
    }

    /// Either this or the other.
    mutating func join(_ other: Self) {
        spent = min(spent.lowerBound, other.spent.lowerBound)...max(spent.upperBound, other.spent.upperBound)
        free = min(free.lowerBound, other.free.lowerBound)...max(free.upperBound, other.free.upperBound)
        last = min(last.lowerBound, other.last.lowerBound)...max(last.upperBound, other.last.upperBound)
    }

    /// A correction of the clock moves the last use back too, perhaps, or for sure.
    mutating func follow(perhaps earliest: Date?, _ moments: Moments) {
        let high = min(last.upperBound, moments.high)
        last = min(last.lowerBound, earliest ?? .distantFuture, high)...high
    }
}

extension Uses.Refill {
    /// The number of the period that a moment is in.
    func number(of moment: Date) -> Int {
        let day = Int((max(moment.timeIntervalSince1970, 0) / 86_400).rounded(.down))
        switch self {
        case .day: return day
        // The first Monday of 1970 was its fifth day.
        case .week: return (day + 3) / 7
        case .month:
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let parts = calendar.dateComponents(
                [.year, .month],
                from: Date(timeIntervalSince1970: Double(day) * 86_400)
            )
            return (parts.year ?? 0) * 12 + (parts.month ?? 0)
        }
    }
}
