extension Ledger {
    /// The unlocks that a catalog gives to users who had its items before.
    struct Additions: Equatable {
        /// The unlocks that each product and each free item opens, unless it gives an amount of them.
        var unlocks: [Grant.Origin: [UnlockID]] = [:]
        /// The products of its non-consumables.
        var lasting: Set<ProductID> = []
    }

    /// The unlocks that a grant opens, and the amount of each; 0 opens the unlock permanently.
    ///
    /// Unlocks that a catalog adds to an item also belong to the item's owners. `nil` uses the current catalog's
    /// additions.
    func amounts(of grant: Grant, with additions: Additions? = nil) -> [UnlockID: Int] {
        guard let origin = grant.origin, let now = (additions ?? self.additions).unlocks[origin], grant.isLasting,
            now.contains(where: { grant.amounts[$0] != 0 })
        else { return grant.amounts }
        return grant.amounts.merging(now.map { ($0, 0) }) { _, now in now }
    }

    /// The days that a grant lasts, unless both the store and the current catalog say that it lasts permanently. `nil` uses
    /// the current catalog's additions.
    func term(of grant: Grant, with additions: Additions? = nil) -> Grant.Term? {
        guard grant.term != nil, let transaction = grant.transaction, transaction.productKind == .nonConsumable,
            (additions ?? self.additions).lasting.contains(transaction.productID)
        else { return grant.term }
        return nil
    }

    /// Whether a grant opens its unlocks only until a moment.
    func isExpiring(_ grant: Grant) -> Bool { term(of: grant) != nil || grant.transaction?.expirationDate != nil }

    /// The entries that record a catalog's additions for the items' owners, so that a later catalog can't take them
    /// away.
    func keeping(_ additions: Additions) -> [JournalEntry] {
        all.compactMap { grant in
            let (amounts, term) = (amounts(of: grant, with: additions), term(of: grant, with: additions))
            guard amounts != grant.amounts || term != grant.term, !grant.isRevoked else { return nil }
            var grant = grant
            (grant.amounts, grant.term) = (amounts, term)
            return .grant(grant)
        }
    }
}

private extension Grant {
    /// Whether its item isn't used up: by the catalog that was current when it was bought, or by the store, which knows better.
    var isLasting: Bool {
        guard !amounts.isEmpty else { return false }
        switch transaction?.productKind {
        case .nonConsumable, .subscription: return true
        case .consumable, .nonRenewing, nil: return amounts.values.allSatisfy { $0 == 0 }
        }
    }
}
