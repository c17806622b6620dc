import Unlocks

extension ShopHistory.Version {
    /// The catalog, which is read once.
    @MainActor var catalog: Catalog {
        switch self {
        case .whole: Self.wholeCatalog
        case .older: Self.olderCatalog
        case .more: Self.moreCatalog
        case .other: Self.otherCatalog
        case .twice: Self.twiceCatalog
        case .otherKinds: Self.otherKindsCatalog
        }
    }

    /// What each product that lasts opens; with other kinds nothing is said.
    @MainActor var lasting: [ProductID: [UnlockID]] {
        var unlocks: [ProductID: [UnlockID]] = [:]
        for item in catalog.items where self != .otherKinds {
            guard let product = item.productID, unlocks[product] == nil else { continue }
            if case .consumable = item.kind { continue }
            unlocks[product] = item.grants
        }
        return unlocks
    }

    @MainActor private static let wholeCatalog = catalog(gold: ["gold"], everything: ["gold", "silver"])
    @MainActor private static let moreCatalog = catalog(
        gold: ["gold", "platinum"],
        everything: ["gold", "silver", "pro"]
    )
    @MainActor private static let otherCatalog = catalog(gold: ["platinum"], everything: ["silver"])
    @MainActor private static let twiceCatalog = catalog(
        gold: ["gold"],
        everything: ["gold", "silver"],
        and: #"{"id":"gold-again","product":"gold","kind":"nonConsumable","grants":["extra"]},"#
    )
    @MainActor private static let olderCatalog = Catalog.known(
        items: #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]}"#
    )
    @MainActor private static let otherKindsCatalog = Catalog.known(
        items: #"""
            {"id":"gold-pack","product":"gold","kind":"consumable","amount":5,"grants":["gold"]},
            {"id":"all","product":"everything","kind":"subscription","grants":["gold","silver"]},
            {"id":"hints","product":"hints","kind":"consumable","amount":1000000,"grants":["hint"]},
            {"id":"pro","product":"pro","kind":"nonConsumable","grants":["pro","hint"]}
            """#,
        rewards: #"""
            {"id":"welcome","grants":["silver","hint"],"after":"first-board","limit":9},
            {"id":"three","grants":["hint"],"amount":1000000,"limit":1000000}
            """#
    )

    @MainActor
    private static func catalog(gold: [String], everything: [String], and items: String = "") -> Catalog {
        .known(
            items: #"""
                {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":\#(gold)},
                {"id":"all","product":"everything","kind":"nonConsumable","grants":\#(everything)},\#(items)
                {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]},
                {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]},
                {"id":"starter","kind":"nonConsumable","grants":["starter"],"free":true}
                """#,
            rewards: #"""
                {"id":"welcome","grants":["silver"],"after":"first-board","limit":2},
                {"id":"three","grants":["hint"],"amount":3,"limit":1}
                """#
        )
    }
}
