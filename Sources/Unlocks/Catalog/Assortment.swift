/// The parts of a catalog that an edition of the app includes or sells.
struct Assortment {
    /// The unlocks that the edition includes.
    let included: Set<UnlockID>
    /// The products of the items that the edition doesn't include.
    let products: Set<ProductID>
    /// The unlocks that the catalog gives to users who had its items before.
    let additions: Ledger.Additions
    /// Whether something is sold for some days.
    let hasPasses: Bool
    /// The free uses for everybody.
    let allowances: [UnlockID: Allowance]

    init(_ catalog: ShopCatalog, edition: String?) {
        var (included, products, additions): (Set<UnlockID>, Set<ProductID>, _) = ([], [], Ledger.Additions())
        for item in catalog.items {
            if !item.kind.isCounted {
                if let product = item.productID { additions.unlocks[.product(product)] = item.grants }
                if item.isFree { additions.unlocks[.free(item.id)] = item.grants }
            }
            if item.kind == .nonConsumable, let product = item.productID { additions.lasting.insert(product) }
            if item.isIncluded(in: edition) {
                included.formUnion(item.grants)
            } else if let product = item.productID {
                products.insert(product)
            }
        }
        self.included = included
        self.products = products
        self.additions = additions
        hasPasses = catalog.items.contains(where: \.kind.isNonRenewing)
        allowances = catalog.allowances
    }
}
