extension ShopCatalog {
    /// The items by their names, so that a lookup takes the same time in a long catalog as in a short one.
    struct Lists: Sendable, Equatable {
        fileprivate let items: [ItemID: Int]
        fileprivate let products: [ProductID: Int]
        /// The unlocks that an item gives an amount of, to buyers or to everybody.
        fileprivate let counted: Set<UnlockID>

        init(_ items: [CatalogItem]) {
            self.items = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
            products = Dictionary(
                uniqueKeysWithValues: items.enumerated().compactMap { index, item in item.productID.map { ($0, index) }
                }
            )
            counted = Set(items.filter(\.kind.isCounted).flatMap(\.grants))
        }
    }

    /// The item with an identifier.
    package func item(named id: ItemID) -> CatalogItem? { lists.items[id].map { items[$0] } }

    /// The item that sells a product. There is at most one.
    package func item(selling product: ProductID) -> CatalogItem? { lists.products[product].map { items[$0] } }

    /// The rewards whose parameter and value match a referral's, in the catalog's order.
    package func rewards(for parameters: [Name: Name]) -> [CatalogReward] {
        rewards.filter { reward in
            reward.recipient == .newcomer
                && reward.parameter.map { parameters[Name($0)] == Name(reward.value ?? "") } ?? true
        }
    }

    /// Whether an item in the catalog gives an amount of this unlock, to buyers or to everybody.
    package func isCounted(_ unlock: UnlockID) -> Bool { lists.counted.contains(unlock) }
}
