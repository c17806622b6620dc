/// Purchases, rewards and free items that aren't delivered or saved yet, and purchases in progress. None of them opens anything
/// yet.
struct ComingPurchases {
    private(set) var products: Set<ProductID> = []
    /// The unlocks that will be open without counting, and for longer than some days.
    private var unlocks: Set<UnlockID> = []

    /// Adds a product, and the unlocks that it opens in the catalog.
    mutating func add(_ product: ProductID, in catalog: ShopCatalog) {
        products.insert(product)
        guard let item = catalog.item(selling: product) else { return }
        if item.kind == .nonConsumable || item.kind == .subscription { unlocks.formUnion(item.grants) }
    }

    /// Adds a recorded grant.
    mutating func add(_ grant: Grant, in ledger: Ledger) {
        if let product = grant.transaction?.productID { products.insert(product) }
        guard grant.term == nil else { return }
        unlocks.formUnion(ledger.amounts(of: grant).filter { $0.value == 0 }.keys)
    }

    /// Whether they give the user all of an item, together with what the user has.
    func gives(_ item: CatalogItem, has: (UnlockID) -> Bool) -> Bool {
        if let product = item.productID, products.contains(product) { return true }
        guard !unlocks.isEmpty, !item.isFree, !item.kind.isConsumable else { return false }
        return item.grants.allSatisfy { unlocks.contains($0) || has($0) }
    }
}
