import UnlockCatalog

extension Ledger {
    /// The unlocks that a grant opens, and the amount of each; 0 opens the unlock permanently.
    ///
    /// Unlocks that a catalog adds to an item also belong to the item's owners. `nil` uses the current catalog's
    /// additions.
    func amounts(of grant: Grant, with additions: [Grant.Origin: [UnlockID]]? = nil) -> [UnlockID: Int] {
        guard let origin = grant.origin, let now = (additions ?? self.additions)[origin], grant.isLasting,
            now.contains(where: { grant.amounts[$0] != 0 })
        else { return grant.amounts }
        return grant.amounts.merging(now.map { ($0, 0) }) { _, now in now }
    }

    /// The entries that record a catalog's additions for the items' owners, so that a later catalog can't take them
    /// away.
    func keeping(_ additions: [Grant.Origin: [UnlockID]]) -> [JournalEntry] {
        all.compactMap { grant in
            let amounts = amounts(of: grant, with: additions)
            guard amounts != grant.amounts, !grant.isRevoked else { return nil }
            var grant = grant
            grant.amounts = amounts
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
