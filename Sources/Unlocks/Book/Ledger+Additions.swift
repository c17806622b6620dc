extension Ledger {
    /// The unlocks that a catalog gives to users who had its items before: those that each product and each free item opens, unless
    /// it gives an amount of them.
    typealias Additions = [Grant.Origin: [UnlockID]]

    /// The unlocks that a grant opens, and the amount of each; 0 opens the unlock permanently.
    ///
    /// Unlocks that a catalog adds to an item also belong to the item's owners.
    func amounts(of grant: Grant) -> [UnlockID: Int] {
        guard let origin = grant.origin, let now = additions[origin], grant.isLasting,
            now.contains(where: { grant.amounts[$0] != 0 })
        else { return grant.amounts }
        return grant.amounts.merging(now.map { ($0, 0) }) { _, now in now }
    }

    /// The entries that record the current catalog's additions for the items' owners, so that a later catalog can't take them
    /// away.
    var keptAdditions: [JournalEntry] {
        all.compactMap { grant in
            let amounts = amounts(of: grant)
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
