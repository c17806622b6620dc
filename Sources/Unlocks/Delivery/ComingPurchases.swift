/// Purchases, rewards and free items that aren't delivered or saved yet, and purchases in progress. None of them opens anything
/// yet.
struct ComingPurchases {
    private(set) var products: Set<ProductID> = []
    /// The unlocks that will be open permanently, and those that a subscription will open.
    private var (lasting, subscribed): (Set<UnlockID>, Set<UnlockID>) = ([], [])

    /// Adds a product, and the unlocks that it opens in the catalog.
    mutating func add(_ product: ProductID, in catalog: ShopCatalog) {
        products.insert(product)
        guard let item = catalog.item(selling: product) else { return }
        switch item.kind {
        case .nonConsumable: lasting.formUnion(item.grants)
        case .subscription: subscribed.formUnion(item.grants)
        default: break
        }
    }

    /// Adds a recorded grant.
    mutating func add(_ grant: Grant, in ledger: Ledger) {
        if let product = grant.transaction?.productID { products.insert(product) }
        guard ledger.term(of: grant) == nil else { return }
        let unlocks = ledger.amounts(of: grant).lazy.filter { $0.value == 0 }.map(\.key)
        if ledger.isExpiring(grant) { subscribed.formUnion(unlocks) } else { lasting.formUnion(unlocks) }
    }

    /// Whether they give the user all of an item, together with what the user has.
    func gives(_ item: CatalogItem, has: (UnlockID) -> Bool, isSubscribed: (UnlockID) -> Bool) -> Bool {
        guard !(products.isEmpty && lasting.isEmpty) else { return false }
        if let product = item.productID, products.contains(product) { return true }
        guard !item.isFree, !item.kind.isConsumable else { return false }
        let isSubscription = if case .subscription = item.kind { true } else { false }
        return item.grants.allSatisfy { unlock in
            lasting.contains(unlock) || has(unlock)
                || isSubscription && (subscribed.contains(unlock) || isSubscribed(unlock))
        }
    }
}
