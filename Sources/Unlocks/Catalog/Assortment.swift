/// The parts of a catalog that an edition of the app includes or sells.
struct Assortment {
    /// The unlocks that the edition includes.
    let included: Set<UnlockID>
    /// The products of the items that the edition doesn't include.
    let products: Set<ProductID>
    /// The unlocks that each product and each free item opens, unless it gives an amount of them.
    let grants: [Grant.Origin: [UnlockID]]
    /// Whether something is sold for some days.
    let hasPasses: Bool
    /// The free uses for everybody.
    let allowances: [UnlockID: Allowance]

    init(_ catalog: Catalog, edition: String?) {
        var (included, products, grants): (Set<UnlockID>, Set<ProductID>, [Grant.Origin: [UnlockID]]) = ([], [], [:])
        for item in catalog.items {
            if !item.kind.isCounted {
                if let product = item.productID { grants[.product(product)] = item.grants }
                if item.isFree { grants[.free(item.id)] = item.grants }
            }
            if item.isIncluded(in: edition) {
                included.formUnion(item.grants)
            } else if let product = item.productID {
                products.insert(product)
            }
        }
        (self.included, self.products, self.grants) = (included, products, grants)
        hasPasses = catalog.items.contains(where: \.kind.isNonRenewing)
        allowances = catalog.allowances
    }
}
