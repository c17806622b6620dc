extension Ledger {
    /// The entries that give the user what a catalog adds to the items that they have. A later catalog can't take it away.
    func additions(in catalog: ShopCatalog) -> [JournalEntry] {
        all.compactMap { grant in
            guard !grant.isRevoked, grant.isLasting, let item = catalog.item(of: grant), !item.kind.isCounted,
                item.grants.contains(where: { grant.amounts[$0] != 0 })
            else { return nil }
            var grant = grant
            for unlock in item.grants { grant.amounts[unlock] = 0 }
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
