/// The parts of a catalog that an edition of the app includes or sells.
struct Assortment {
    /// The unlocks that the edition includes.
    let included: Set<UnlockID>
    /// The products of the items that the edition doesn't include.
    let products: Set<ProductID>
    /// The unlocks that the catalog gives to users who had its items before.
    let additions: Ledger.Additions
    /// The free uses for everybody.
    let allowances: [UnlockID: Allowance]

    init(_ catalog: ShopCatalog, edition: String?) {
        var (included, products, additions): (Set<UnlockID>, Set<ProductID>, Ledger.Additions) = ([], [], [:])
        for item in catalog.items {
            if !item.kind.isCounted {
                if let product = item.productID { additions[.product(product)] = item.grants }
                if item.isFree { additions[.free(item.id)] = item.grants }
            }
            if item.isIncluded(in: edition) {
                included.formUnion(item.grants)
            } else if let product = item.productID {
                products.insert(product)
            }
        }
        self.included = included
        self.products = products
        self.additions = additions
        allowances = catalog.allowances
    }
}
