import ReferralFoundation

extension Ledger {
    /// The grants that open an unlock until a moment, each with its validity.
    func validities(of unlock: UnlockID, at now: Date) -> [(Grant, Validity)] {
        guard let share = shares[unlock] else { return [] }
        return share.expiring.map { grant in
            if case .pass = grant.term { return (grant, Self.validity(until: share.ends[grant.source], at: now)) }
            return (grant, validity(of: grant, at: now))
        }
    }

    /// Whether a subscription or a trial opens its unlocks.
    func validity(of grant: Grant, at now: Date) -> Validity {
        guard let transaction = grant.transaction else { return .open(until: nil) }
        guard case .trial(let days) = grant.term else {
            let answer = answers[environment].flatMap { $0.isFromStore ? $0 : nil }
            return transaction.validity(after: answer, at: now)
        }
        // Refunded or not.
        let purchases = all.filter { $0.transaction?.productID == transaction.productID && isPresent($0) }
        let first = purchases.compactMap(\.originalPurchaseDate).min()
        return Self.validity(until: first.map { $0 + Double(days) * Grant.Term.secondsPerDay }, at: now)
    }

    private static func validity(until end: Date?, at now: Date) -> Validity {
        if let end, now < end { .open(until: end) } else { .ended }
    }

    /// The ends of passes that follow one another: each begins when the one before it ends, or later at its own date.
    static func ends(of grants: [Grant]) -> [Grant.Source: Date] {
        var (ends, last) = ([Grant.Source: Date](), Date.distantPast)
        let passes = grants.compactMap { grant -> (date: Date, id: Name, days: Int)? in
            guard case .pass(let days) = grant.term, case .purchase(let id) = grant.source else { return nil }
            return (grant.purchaseDate ?? .distantPast, id, days)
        }
        for pass in passes.sorted(by: { ($0.date, $0.id) < ($1.date, $1.id) }) {
            last = max(last, pass.date) + Double(pass.days) * Grant.Term.secondsPerDay
            ends[.purchase(pass.id)] = last
        }
        return ends
    }

    /// The transactions of the subscriptions that are open at a moment.
    func plans(at now: Date) -> [StoreTransaction] {
        subscriptions.filter { validity(of: $0, at: now).isOpen }.compactMap(\.transaction)
    }

    /// The state of the trial with a product; `nil` if it hasn't been taken, or isn't delivered yet.
    func trial(of product: ProductID, at now: Date) -> Holdings.Trial? {
        guard trials(of: product).contains(where: { !$0.isDue }) else { return nil }
        return trialEnd(of: product, at: now) == nil ? .ended : .running
    }

    /// When the running trial with a product ends; `nil` if none is running.
    func trialEnd(of product: ProductID, at now: Date) -> Date? {
        trials(of: product).filter(counts).compactMap { validity(of: $0, at: now).end }.max()
    }

    /// Refunded or not.
    private func trials(of product: ProductID) -> some Sequence<Grant> {
        all.filter { grant in
            if case .trial = grant.term { grant.transaction?.productID == product && isPresent(grant) } else { false }
        }
    }
}
