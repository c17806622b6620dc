import ReferralFoundation

extension Ledger.Tally {
    mutating func add(_ grant: Grant) {
        guard let pass = Ledger.Pass(grant) else { return }
        passes.insert(pass, at: passes.firstIndex { pass < $0 } ?? passes.endIndex)
    }

    mutating func remove(_ grant: Grant) {
        guard let pass = Ledger.Pass(grant) else { return }
        passes.removeAll { $0.id == pass.id }
    }
}

private extension Ledger.Pass {
    init?(_ grant: Grant) {
        guard case .pass(let days) = grant.term, case .purchase(let id) = grant.source else { return nil }
        self.init(id: id, date: grant.purchaseDate ?? .distantPast, days: days)
    }
}

extension Ledger {
    /// The grants that open an unlock until a moment, each with its validity.
    func validities(of unlock: UnlockID, at now: Date) -> [(Grant, Validity)] {
        guard let tally = tallies[unlock], !tally.expiring.isEmpty else { return [] }
        let ends = ends(of: tally.passes)
        return tally.expiring.compactMap { source in
            grants[source].map { ($0, validity(of: $0, ends, at: now)) }
        }
    }

    func validity(of grant: Grant, for unlock: UnlockID, at now: Date) -> Validity {
        guard grant.term != nil else { return validity(of: grant, [:], at: now) }
        return validity(of: grant, ends(of: tallies[unlock]?.passes ?? []), at: now)
    }

    func validity(of grant: Grant, _ ends: [Name: Date], at now: Date) -> Validity {
        guard let transaction = grant.transaction else { return .open(until: nil) }
        let end: Date?
        switch grant.term {
        case nil:
            let answer = answers[environment].flatMap { $0.isFromStore ? $0 : nil }
            return transaction.validity(after: answer, clock, at: now)
        case .pass: end = ends[Name(transaction.id)]
        case .trial(let days):
            end = firstPurchases[transaction.productID].map { $0 + Double(days) * Grant.Term.secondsPerDay }
        }
        guard let end, now < end else { return .ended }
        return .open(until: end)
    }

    /// The ends of passes that follow one another: each begins when the one before it ends, or later at its own date.
    func ends(of passes: [Pass]) -> [Name: Date] {
        var ends: [Name: Date] = [:]
        var last = Date.distantPast
        for pass in passes {
            last = max(last, pass.date) + Double(pass.days) * Grant.Term.secondsPerDay
            ends[pass.id] = last
        }
        return ends
    }

    /// The transactions of the subscriptions that are open at a moment.
    func plans(at now: Date) -> [StoreTransaction] {
        let sources = Set(expiring.flatMap { tallies[$0]?.expiring ?? [] })
        return sources.compactMap { grants[$0] }
            .filter { $0.term == nil && validity(of: $0, [:], at: now).isOpen }
            .compactMap(\.transaction)
    }

    /// The state of the trial with a product; `nil` if it hasn't been taken, or isn't delivered yet.
    func trial(of product: ProductID, at now: Date) -> Holdings.Trial? {
        let taken = (trials[product] ?? []).compactMap { grants[$0] }.filter { !$0.isDue }
        guard !taken.isEmpty else { return nil }
        return taken.contains { counts($0) && validity(of: $0, [:], at: now).isOpen } ? .running : .ended
    }

    /// When the running trial with a product ends; `nil` if none is running.
    func trialEnd(of product: ProductID, at now: Date) -> Date? {
        guard trial(of: product, at: now) == .running else { return nil }
        let counted = (trials[product] ?? []).compactMap { grants[$0] }.filter(counts)
        return counted.compactMap { grant in
            if case .open(let end) = validity(of: grant, [:], at: now) { end } else { nil }
        }.max()
    }
}
