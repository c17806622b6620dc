import UnlockCatalog

extension Ledger {
    /// The unlocks that a grant opens, and the amount of each; 0 opens the unlock permanently.
    ///
    /// Unlocks that a catalog adds to an item also belong to the item's owners. `nil` uses the current catalog's
    /// additions.
    func amounts(of grant: Grant, with additions: [Grant.Origin: [UnlockID]]? = nil) -> [UnlockID: Int] {
        guard let origin = grant.origin, let now = (additions ?? self.additions)[origin],
            !grant.amounts.isEmpty, grant.amounts.values.allSatisfy({ $0 == 0 }),
            now.contains(where: { grant.amounts[$0] == nil })
        else { return grant.amounts }
        return grant.amounts.merging(now.map { ($0, 0) }) { then, _ in then }
    }

    /// The entries that record a catalog's additions for the items' owners, so that a later catalog can't take them
    /// away.
    func keeping(_ additions: [Grant.Origin: [UnlockID]]) -> [JournalEntry] {
        all.compactMap { grant in
            let amounts = amounts(of: grant, with: additions)
            guard amounts.count > grant.amounts.count, !grant.isRevoked else { return nil }
            var grant = grant
            grant.amounts = amounts
            return .grant(grant)
        }
    }
}
