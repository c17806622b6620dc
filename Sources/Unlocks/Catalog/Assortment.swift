/// The parts of a catalog that an edition of the app includes or sells.
struct Assortment {
    /// The unlocks that the edition includes.
    let included: Set<UnlockID>
    /// The products of the items that the edition doesn't include.
    let products: Set<ProductID>
    /// The free uses for everybody.
    let allowances: [UnlockID: Allowance]

    init(_ catalog: ShopCatalog, edition: String?) {
        var (included, products): (Set<UnlockID>, Set<ProductID>) = ([], [])
        for item in catalog.items {
            if item.isIncluded(in: edition) {
                included.formUnion(item.grants)
            } else if let product = item.productID {
                products.insert(product)
            }
        }
        self.included = included
        self.products = products
        allowances = catalog.allowances
    }
}
