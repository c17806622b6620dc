extension Catalog {
    /// The items and the rewards by their names, so that a lookup takes the same time in a long catalog as in a short
    /// one.
    struct Lists: Sendable, Equatable {
        fileprivate var items: [Name: Int] = [:]
        fileprivate var products: [Name: Int] = [:]
        fileprivate var rewards: [Name: Int] = [:]
        /// The rewards by the required parameter and value, and those that accept any referral.
        fileprivate var rewardsByParameter: [Name: [Name: [Int]]] = [:]
        fileprivate var rewardsForAll: [Int] = []
        /// The unlocks that an item gives an amount of.
        fileprivate var counted: Set<Name> = []

        init(_ items: [CatalogItem], _ rewards: [CatalogReward]) {
            for (index, item) in items.enumerated() {
                self.items[Name(item.id)] = index
                if let product = item.productID { products[Name(product)] = index }
                if case .consumable = item.kind { counted.formUnion(item.grants.map { Name($0) }) }
            }
            for (index, reward) in rewards.enumerated() {
                self.rewards[Name(reward.id)] = index
                if let parameter = reward.parameter {
                    let value = Name(reward.value ?? "")
                    rewardsByParameter[Name(parameter), default: [:]][value, default: []].append(index)
                } else {
                    rewardsForAll.append(index)
                }
            }
        }
    }

    /// The item with an identifier.
    package func item(named id: String) -> CatalogItem? { lists.items[Name(id)].map { items[$0] } }

    /// The item that sells a product. There is at most one.
    package func item(selling product: String) -> CatalogItem? { lists.products[Name(product)].map { items[$0] } }

    /// The reward with an identifier.
    package func reward(named id: String) -> CatalogReward? { lists.rewards[Name(id)].map { rewards[$0] } }

    /// The rewards whose parameter and value match a referral's, in the catalog's order.
    package func rewards(for parameters: [Name: Name]) -> [CatalogReward] {
        let indices = parameters.flatMap { lists.rewardsByParameter[$0]?[$1] ?? [] } + lists.rewardsForAll
        return indices.sorted().map { rewards[$0] }
    }

    /// Whether an item in the catalog gives an amount of this unlock.
    package func isCounted(_ unlock: String) -> Bool { lists.counted.contains(Name(unlock)) }
}
