extension ShopCatalog {
    /// The items and the rewards by their names, so that a lookup takes the same time in a long catalog as in a short
    /// one.
    struct Lists: Sendable, Equatable {
        fileprivate var items: [ItemID: Int] = [:]
        fileprivate var products: [ProductID: Int] = [:]
        fileprivate var rewards: [RewardID: Int] = [:]
        /// The rewards by the required parameter and value, and those that accept any referral.
        fileprivate var rewardsByParameter: [Name: [Name: [Int]]] = [:]
        fileprivate var rewardsForAll: [Int] = []
        /// The unlocks that an item gives an amount of, to buyers or to everybody.
        fileprivate var counted: Set<UnlockID> = []

        init(_ items: [CatalogItem], _ rewards: [CatalogReward]) {
            for (index, item) in items.enumerated() {
                self.items[item.id] = index
                if let product = item.productID { products[product] = index }
                if item.kind.isCounted { counted.formUnion(item.grants) }
            }
            for (index, reward) in rewards.enumerated() {
                self.rewards[reward.id] = index
                guard reward.recipient == .newcomer else { continue }
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
    package func item(named id: ItemID) -> CatalogItem? { lists.items[id].map { items[$0] } }

    /// The item that sells a product. There is at most one.
    package func item(selling product: ProductID) -> CatalogItem? { lists.products[product].map { items[$0] } }

    /// The reward with an identifier.
    package func reward(named id: RewardID) -> CatalogReward? { lists.rewards[id].map { rewards[$0] } }

    /// The rewards whose parameter and value match a referral's, in the catalog's order.
    package func rewards(for parameters: [Name: Name]) -> [CatalogReward] {
        let indices = parameters.flatMap { lists.rewardsByParameter[$0]?[$1] ?? [] } + lists.rewardsForAll
        return indices.sorted().map { rewards[$0] }
    }

    /// Whether an item in the catalog gives an amount of this unlock, to buyers or to everybody.
    package func isCounted(_ unlock: UnlockID) -> Bool { lists.counted.contains(unlock) }
}
