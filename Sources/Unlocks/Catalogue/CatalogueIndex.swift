/// A catalogue whose items are found by name, as an edition of the app sees it.
struct CatalogueIndex {
    let catalogue: Catalogue
    /// The unlocks that the edition includes.
    let included: Set<String>
    /// The products of the items that the edition doesn't include.
    let products: Set<String>
    /// The unlocks that each product opens.
    let grants: [String: [String]]
    private let itemsByID: [String: Int]
    private let itemsByProduct: [String: Int]

    init(_ catalogue: Catalogue, edition: String?) {
        self.catalogue = catalogue
        var (included, products, grants): (Set<String>, Set<String>, [String: [String]]) = ([], [], [:])
        var (itemsByID, itemsByProduct): ([String: Int], [String: Int]) = ([:], [:])
        for (index, item) in catalogue.items.enumerated() {
            itemsByID[item.id] = index
            if let product = item.product {
                itemsByProduct[product] = index
                grants[product] = item.grants
            }
            if item.isIncluded(in: edition) {
                included.formUnion(item.grants)
            } else if let product = item.product {
                products.insert(product)
            }
        }
        (self.included, self.products, self.grants) = (included, products, grants)
        (self.itemsByID, self.itemsByProduct) = (itemsByID, itemsByProduct)
    }

    func item(_ id: String) -> CatalogueItem? { itemsByID[id].map { catalogue.items[$0] } }

    func item(ofProduct product: String) -> CatalogueItem? { itemsByProduct[product].map { catalogue.items[$0] } }
}
