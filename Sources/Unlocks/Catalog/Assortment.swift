/// The parts of a catalog that an edition of the app includes or sells.
struct Assortment {
    /// The unlocks that the edition includes.
    let included: Set<UnlockID>
    /// The products of the items that the edition doesn't include.
    let products: Set<ProductID>
    /// The free uses for everybody.
    let allowances: [UnlockID: Allowance]

    init(_ catalog: ShopCatalog, edition: String?) {
        included = Set(catalog.items.filter { $0.isIncluded(in: edition) }.flatMap(\.grants))
        products = Set(catalog.items.filter { !$0.isIncluded(in: edition) }.compactMap(\.productID))
        allowances = catalog.allowances
    }
}
