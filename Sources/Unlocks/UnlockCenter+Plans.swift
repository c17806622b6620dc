import ReferralFoundation

extension UnlockCenter {
    /// The user's active subscriptions. In a group there is one: after a change, the store may still list the former one.
    func plans(at now: Date) -> [StoreTransaction] {
        let all = book.ledger.plans(at: now)
        return all.filter { plan in
            guard let group = group(of: plan.productID) else { return true }
            let date = plan.purchaseDate ?? .distantPast
            return !all.contains { $0.purchaseDate ?? .distantPast > date && self.group(of: $0.productID) == group }
        }
    }

    /// Whether one of the user's active subscriptions is in a product's group; `nil` if that isn't known.
    func isInGroup(_ product: ProductID, of plans: [StoreTransaction]) -> Bool? {
        guard let group = group(of: product) else { return nil }
        let groups = plans.map { self.group(of: $0.productID) }
        if groups.contains(group) { return true }
        return groups.contains(nil) ? nil : false
    }

    private func group(of product: ProductID) -> String? { products?[product]?.group }

    /// The active subscription that the item is, or that its purchase replaces, or may replace, since a group isn't known; `nil`
    /// if there is none.
    func plan(for item: CatalogItem) -> StoreTransaction? {
        guard item.kind == .subscription, let product = item.productID else { return nil }
        let plans = plans(at: now)
        if let own = plans.first(where: { $0.productID == product }) { return own }
        let group = group(of: product)
        let known = plans.first { group != nil && self.group(of: $0.productID) == group }
        return known ?? plans.first { group == nil || self.group(of: $0.productID) == nil }
    }
}
