import UnlockCatalog

extension Ledger {
    /// The unlocks that a grant opens, and how many doses of each it gives; 0 opens it for good.
    ///
    /// What a catalog adds to an item belongs to its owners too. Without a catalog's additions, the present one counts.
    func doses(of grant: Grant, with additions: [Name: [Name]]? = nil) -> [Name: Int] {
        guard let transaction = grant.transaction,
            let now = (additions ?? self.additions)[Name(transaction.product)],
            !grant.doses.isEmpty, grant.doses.values.allSatisfy({ $0 == 0 }),
            now.contains(where: { grant.doses[$0] == nil })
        else { return grant.doses }
        return grant.doses.merging(now.map { ($0, 0) }) { then, _ in then }
    }

    /// The entries with which those who have something keep what a catalog adds to it, whatever a later one says.
    func keeping(_ additions: [Name: [Name]]) -> [JournalEntry] {
        all.compactMap { grant in
            let doses = doses(of: grant, with: additions)
            guard doses.count > grant.doses.count, !grant.isRevoked else { return nil }
            var grant = grant
            grant.doses = doses
            return .grant(grant)
        }
    }
}
