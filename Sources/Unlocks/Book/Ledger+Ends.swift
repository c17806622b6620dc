import ReferralFoundation

extension Ledger {
    /// The grants that open an unlock until a moment, each with its validity.
    func validities(of unlock: UnlockID, at now: Date) -> [(Grant, Validity)] {
        (tallies[unlock]?.expiring ?? []).map { ($0, validity(of: $0, for: unlock, at: now)) }
    }

    func validity(of grant: Grant, for unlock: UnlockID? = nil, at now: Date) -> Validity {
        guard let transaction = grant.transaction else { return .open(until: nil) }
        let end: Date?
        switch grant.term {
        case nil:
            let answer = answers[environment].flatMap { $0.isFromStore ? $0 : nil }
            return transaction.validity(after: answer, at: now)
        case .pass: end = unlock.flatMap { tallies[$0]?.ends[Name(transaction.id)] }
        case .trial(let days):
            end = firstPurchases[transaction.productID].map { $0 + Double(days) * Grant.Term.secondsPerDay }
        }
        guard let end, now < end else { return .ended }
        return .open(until: end)
    }

    /// The ends of passes that follow one another: each begins when the one before it ends, or later at its own date.
    static func ends(of grants: [Grant]) -> [Name: Date] {
        var (ends, last) = ([Name: Date](), Date.distantPast)
        let passes = grants.compactMap { grant -> (date: Date, id: Name, days: Int)? in
            guard case .pass(let days) = grant.term, case .purchase(let id) = grant.source else { return nil }
            return (grant.purchaseDate ?? .distantPast, id, days)
        }
        for pass in passes.sorted(by: { ($0.date, $0.id) < ($1.date, $1.id) }) {
            last = max(last, pass.date) + Double(pass.days) * Grant.Term.secondsPerDay
            ends[pass.id] = last
        }
        return ends
    }

    /// The transactions of the subscriptions that are open at a moment.
    func plans(at now: Date) -> [StoreTransaction] {
        all.filter { counts($0) && $0.isExpiring && $0.term == nil && validity(of: $0, at: now).isOpen }
            .compactMap(\.transaction)
    }

    /// The state of the trial with a product; `nil` if it hasn't been taken, or isn't delivered yet.
    func trial(of product: ProductID, at now: Date) -> Holdings.Trial? {
        let taken = (trials[product] ?? []).filter { !$0.isDue }
        guard !taken.isEmpty else { return nil }
        return taken.contains { counts($0) && validity(of: $0, at: now).isOpen } ? .running : .ended
    }

    /// When the running trial with a product ends; `nil` if none is running.
    func trialEnd(of product: ProductID, at now: Date) -> Date? {
        (trials[product] ?? []).filter(counts).compactMap { grant in
            if case .open(let end) = validity(of: grant, at: now) { end } else { nil }
        }.max()
    }
}
