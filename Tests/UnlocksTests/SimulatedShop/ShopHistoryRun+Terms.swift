import Foundation
import ReferralBridge
import Unlocks

/// Purchases for some days, which follow one another, and trials, which are there once.
extension ShopHistoryRun {
    /// When a purchase for some days was made, and for how many days, as far as that is known.
    struct Term {
        var date: ClosedRange<Date>
        var days: ClosedRange<Int>?
        /// Whether the app has finished it, and so knows it.
        var isKnown = false
    }

    func term(of transaction: StoreTransaction) -> Term? {
        guard ShopHistory.terms[transaction.productID] != nil else { return nil }
        let date = transaction.originalPurchaseDate ?? transaction.purchaseDate
        correct(at: shop.now.date)
        // Without a date, it counts from the moment at which the app records it.
        var term = Term(date: date.map { $0...$0 } ?? now.lowerBound...Date.distantFuture)
        widen(&term, transaction)
        return term
    }

    /// What isn't recorded yet may be recorded with the present catalog.
    func widenTerms() {
        for (id, truth) in truths {
            guard var term = truth.term, !term.isKnown else { continue }
            widen(&term, truth.current)
            truths[id]?.term = term
        }
    }

    private func widen(_ term: inout Term, _ transaction: StoreTransaction) {
        guard let days = facts.days[transaction.productID] else { return }
        let each = days * transaction.quantity
        term.days = min(each, term.days?.lowerBound ?? each)...max(each, term.days?.upperBound ?? each)
    }

    /// The app knows a transaction, and what the store has signed.
    func didFinish(_ id: String) {
        guard shop.store.finished.count > finishedCount else { return }
        finishedCount = shop.store.finished.count
        guard let truth = truths[id], let environment = truth.current.environment, !isJournalLost else { return }
        // What was refunded before the app heard of it has no days.
        if truth.term?.isKnown == false, !truth.current.isRevoked {
            truths[id]?.term?.isKnown = true
            if let date = truth.term?.date, date.upperBound == .distantFuture {
                truths[id]?.term?.date = min(date.lowerBound, now.lowerBound)...max(moments.peak, now.upperBound)
            }
        }
        guard let signed = truth.current.signedDate else { return }
        correct(at: shop.now.date) { $0.record(signed, in: environment) }
    }

    /// Changes what is known of the clock, and with it the moments of the uses.
    func correct(at clock: Date, _ change: (inout Moments) -> Void = { _ in }) {
        moments.show(shop.now.date)
        let earliest = moments.mayBeCorrected(at: clock)
        change(&moments)
        for (environment, used) in uses {
            for unlock in used.keys { uses[environment]?[unlock]?.follow(perhaps: earliest, moments) }
        }
        for (id, truth) in truths {
            guard var term = truth.term, !term.isKnown, term.date.upperBound == .distantFuture else { continue }
            term.date = min(term.date.lowerBound, moments.low)...Date.distantFuture
            truths[id]?.term = term
        }
    }

    // MARK: Ends

    /// The truths about the purchases of an unlock, in the present environment.
    private func truths(of unlock: UnlockID) -> [Truth] {
        truths.values.filter {
            ShopHistory.terms[$0.current.productID] == unlock && $0.current.environment == environment
                && $0.term?.days != nil
        }
    }

    /// The end of purchases that follow one another.
    private static func end(of purchases: [(date: Date, days: Int)]) -> Date {
        purchases.sorted { $0.date < $1.date }.reduce(Date.distantPast) {
            max($0, $1.date) + Double($1.days) * 86_400
        }
    }

    /// The bounds of the end of an unlock: if only what is known for sure counts, and if everything does.
    private func ends(of unlock: UnlockID, _ sure: [Truth], _ possible: [Truth]) -> (low: Date, high: Date) {
        func all(_ truths: [Truth], _ isHigh: Bool) -> [(date: Date, days: Int)] {
            truths.compactMap { truth in
                guard let term = truth.term, let days = term.days else { return nil }
                return isHigh ? (term.date.upperBound, days.upperBound) : (term.date.lowerBound, days.lowerBound)
            }
        }
        guard unlock == "studio" else { return (Self.end(of: all(sure, false)), Self.end(of: all(possible, true))) }
        let every = truths(of: unlock)
        let first = all(every, false).map(\.date).min() ?? .distantPast
        let known = all(every.filter { $0.term?.isKnown ?? false }, true).map(\.date).min()
        let last = known ?? all(possible, true).map(\.date).max() ?? .distantPast
        let low = all(sure, false).map(\.days).max().map { first + Double($0) * 86_400 }
        let high = all(possible, true).map(\.days).max().map { last + Double($0) * 86_400 }
        return (low ?? .distantPast, high ?? .distantPast)
    }

    private func checkTerm(_ unlock: UnlockID, _ sure: [Truth], _ possible: [Truth]) {
        let (low, high) = ends(of: unlock, sure, possible)
        guard let state = shop.state(unlock) else { return }
        // Dates are rounded.
        if now.upperBound < low - 0.01, !state.isUnlocked {
            violate("\(unlock) was paid until \(low) by \(sure.map(\.current.id)), and is \(state) at \(now)")
        }
        if now.lowerBound > high + 0.01, state.isUnlocked {
            violate("\(unlock) was paid until \(high), and is open at \(now)")
        }
    }

    /// Each purchase gives all its days, and a trial is there once, whatever the clock shows.
    func checkTerms() {
        guard !isJournalLost, !hadOtherKinds, isOpen else { return }
        for unlock: UnlockID in ["lounge", "studio"] {
            let all = truths(of: unlock)
            checkTerm(
                unlock,
                all.filter { !$0.wasRevoked && $0.term?.isKnown == true },
                all.filter { $0.statements.contains { !$0.isRevoked } }
            )
        }
        guard truths(of: "studio").contains(where: { $0.term?.isKnown ?? false }) else { return }
        for offer in shop.unlocks?.offers ?? [] where offer.item.productID == "taste" {
            if case .forSale = offer.state { violate("the trial is for sale again") }
        }
    }

    /// In the end everything is known.
    func endTerms() {
        for unlock: UnlockID in ["lounge", "studio"] {
            let valid = truths(of: unlock).filter { !$0.current.isRevoked }
            checkTerm(unlock, valid, valid)
            for truth in valid where truth.deliveries == 0 { violate("\(truth.current.id) was never delivered") }
        }
    }
}
