import Foundation
import Unlocks

/// What the simulation knows of a catalog, worked out once.
struct CatalogFacts {
    let catalog: ShopCatalog
    /// Whether its items have other kinds, so that nobody knows how a purchase was recorded.
    let hasOtherKinds: Bool
    /// What each product that lasts opens; with other kinds nothing is said.
    let lasting: [ProductID: [UnlockID]]
    /// How many days each product is for that is sold for some days.
    let days: [ProductID: Int]
    /// The free uses for everybody.
    let allowances: [UnlockID: Uses.Allowance]
    /// The number of people who earn the inviter one reward; `nil` without one.
    let every: Int?
    /// The files of each item.
    let files: [ItemID: [CatalogItem.File]]
    var sellsAnything: Bool { catalog.items.contains { $0.productID != nil } }

    /// A catalog that is written in the tests, with what was meant by it.
    @MainActor
    init(_ version: ShopHistory.Version) {
        catalog = version.readCatalog()
        hasOtherKinds = version == .otherKinds
        lasting = hasOtherKinds ? [:] : catalog.lasting
        days = Dictionary(
            uniqueKeysWithValues: ShopHistory.terms.keys.compactMap { product in
                version.days(of: product).map { (product, $0) }
            }
        )
        allowances = version.allowances
        every = version.every
        files = catalog.files
    }
}

private extension ShopCatalog {
    var lasting: [ProductID: [UnlockID]] {
        var unlocks: [ProductID: [UnlockID]] = [:]
        for item in items {
            guard let product = item.productID, unlocks[product] == nil, ShopHistory.terms[product] == nil else {
                continue
            }
            if case .consumable = item.kind { continue }
            unlocks[product] = item.grants
        }
        return unlocks
    }

    var files: [ItemID: [CatalogItem.File]] {
        Dictionary(items.map { ($0.id, $0.files) }) { first, _ in first }
    }
}
