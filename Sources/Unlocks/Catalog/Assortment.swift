/// The parts of a catalog that an edition of the app includes or sells.
struct Assortment {
    /// The unlocks that the edition includes.
    let included: Set<Name>
    /// The products of the items that the edition doesn't include.
    let products: Set<String>
    /// The unlocks that each product opens.
    let grants: [Name: [Name]]

    init(_ catalog: Catalog, edition: String?) {
        var (included, products, grants): (Set<Name>, Set<String>, [Name: [Name]]) = ([], [], [:])
        for item in catalog.items {
            let names = item.grants.map { Name($0) }
            if let product = item.productID { grants[Name(product)] = names }
            if item.isIncluded(in: edition) {
                included.formUnion(names)
            } else if let product = item.productID {
                products.insert(product)
            }
        }
        (self.included, self.products, self.grants) = (included, products, grants)
    }
}
