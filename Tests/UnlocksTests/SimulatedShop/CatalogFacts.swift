import Foundation
import Unlocks

/// What the simulation knows of a catalog, worked out once.
struct CatalogFacts {
    /// How far what a purchase opens can be foreseen.
    enum Manner {
        /// Its items have the kinds that they always have, or are missing.
        case usual
        /// They have other kinds, so that nobody knows how a purchase was recorded.
        case otherKinds
        /// Anything may be something else, names and amounts too.
        case wild
    }

    let catalog: ShopCatalog
    let manner: Manner
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
        manner = version == .otherKinds ? .otherKinds : .usual
        lasting = manner == .usual ? catalog.lasting : [:]
        days = Dictionary(
            uniqueKeysWithValues: ShopHistory.terms.keys.compactMap { product in
                version.days(of: product).map { (product, $0) }
            }
        )
        allowances = version.allowances
        every = version.every
        files = catalog.files
    }

    /// A catalog that anybody may have made.
    init(of catalog: ShopCatalog, mutatedFrom original: CatalogFacts) {
        self.catalog = catalog
        let isUsual =
            original.manner == .usual && catalog.items.allSatisfy(\.isUsual)
            && catalog.rewards.allSatisfy { reward in original.catalog.rewards.contains(reward) }
        manner = isUsual ? .usual : .wild
        lasting = isUsual ? catalog.lasting : [:]
        days = Dictionary(
            catalog.items.compactMap { item in
                switch item.kind {
                case .nonRenewing(let days), .trial(let days): item.productID.map { ($0, days) }
                default: nil
                }
            },
            uniquingKeysWith: { first, _ in first }
        )
        allowances = Dictionary(
            catalog.items.compactMap { item in
                guard case .allowance(let amount, let refill) = item.kind, let unlock = item.grants.first else {
                    return nil
                }
                let allowance = Uses.Allowance(
                    amount: amount,
                    refill: refill.flatMap { Uses.Refill(rawValue: $0.rawValue) },
                    warnAt: item.warnAt
                )
                return (unlock, allowance)
            },
            uniquingKeysWith: { first, _ in first }
        )
        every = catalog.rewards.contains { $0.id == "host" } ? original.every : nil
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

private extension CatalogItem {
    /// Whether what it does can be foreseen, whatever else is said of it.
    var isUsual: Bool {
        if isFree, id != "starter" { return false }
        return switch (id, productID, kind) {
        case ("gold-pack", "gold", .nonConsumable), ("all", "everything", .nonConsumable):
            Set(grants).isSubset(of: ["gold", "silver", "pro", "platinum", "extra"])
        case ("pro", "pro", .subscription): grants == ["pro"]
        case ("hints", "hints", .consumable(amount: 10)): grants == ["hint"]
        case ("starter", nil, .nonConsumable): grants == ["starter"]
        case ("pass", "pass", .nonRenewing), ("pass", "pass", .nonConsumable), ("day", "day", .nonRenewing):
            grants == ["lounge"]
        case ("taste", "taste", .trial): grants == ["studio"]
        case (_, nil, .allowance): Set(grants).isSubset(of: ["hint", "board", "export"])
        default: false
        }
    }
}
