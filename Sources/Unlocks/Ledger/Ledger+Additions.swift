import UnlockCatalog

extension Ledger {
    /// The unlocks that a grant opens, and how much of each it gives; 0 opens it for good.
    ///
    /// What a catalog adds to an item belongs to its owners too. Without a catalog's additions, the present one counts.
    func amounts(of grant: Grant, with additions: [Name: [Name]]? = nil) -> [Name: Int] {
        guard let transaction = grant.transaction,
            let now = (additions ?? self.additions)[Name(transaction.product)],
            !grant.amounts.isEmpty, grant.amounts.values.allSatisfy({ $0 == 0 }),
            now.contains(where: { grant.amounts[$0] == nil })
        else { return grant.amounts }
        return grant.amounts.merging(now.map { ($0, 0) }) { then, _ in then }
    }

    /// The entries with which those who have something keep what a catalog adds to it, whatever a later one says.
    func keeping(_ additions: [Name: [Name]]) -> [JournalEntry] {
        all.compactMap { grant in
            let amounts = amounts(of: grant, with: additions)
            guard amounts.count > grant.amounts.count, !grant.isRevoked else { return nil }
            var grant = grant
            grant.amounts = amounts
            return .grant(grant)
        }
    }
}
