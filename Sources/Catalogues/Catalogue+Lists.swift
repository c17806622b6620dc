extension Catalogue {
    /// The items and the rewards by their names, so that finding one costs as much as in a short catalogue.
    struct Lists: Sendable, Equatable {
        fileprivate var items: [Name: Int] = [:]
        fileprivate var products: [Name: Int] = [:]
        fileprivate var rewards: [Name: Int] = [:]
        /// The unlocks that an item gives doses of.
        fileprivate var counted: Set<Name> = []

        init(_ items: [CatalogueItem], _ rewards: [CatalogueReward]) {
            for (index, item) in items.enumerated() {
                self.items[Name(item.id)] = index
                if let product = item.product { products[Name(product)] = index }
                if case .consumable = item.kind { counted.formUnion(item.grants.map { Name($0) }) }
            }
            for (index, reward) in rewards.enumerated() { self.rewards[Name(reward.id)] = index }
        }
    }

    /// The item with an identifier.
    package func item(named id: String) -> CatalogueItem? { lists.items[Name(id)].map { items[$0] } }

    /// The item that sells a product. There is at most one.
    package func item(selling product: String) -> CatalogueItem? { lists.products[Name(product)].map { items[$0] } }

    /// The reward with an identifier.
    package func reward(named id: String) -> CatalogueReward? { lists.rewards[Name(id)].map { rewards[$0] } }

    /// Whether an item gives doses of an unlock.
    package func isCounted(_ unlock: String) -> Bool { lists.counted.contains(Name(unlock)) }
}
