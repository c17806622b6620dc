import Unlocks

extension ShopHistory.Version {
    /// The catalogue, which is read once.
    @MainActor var catalogue: Catalogue {
        switch self {
        case .whole: Self.wholeCatalogue
        case .older: Self.olderCatalogue
        case .more: Self.moreCatalogue
        case .other: Self.otherCatalogue
        case .twice: Self.twiceCatalogue
        case .otherKinds: Self.otherKindsCatalogue
        }
    }

    /// What each product that lasts opens; with other kinds nothing is said.
    @MainActor var lasting: [String: [String]] {
        var unlocks: [String: [String]] = [:]
        for item in catalogue.items where self != .otherKinds {
            guard let product = item.product, unlocks[product] == nil else { continue }
            if case .consumable = item.kind { continue }
            unlocks[product] = item.grants
        }
        return unlocks
    }

    @MainActor private static let wholeCatalogue = catalogue(gold: ["gold"], everything: ["gold", "silver"])
    @MainActor private static let moreCatalogue = catalogue(
        gold: ["gold", "platinum"],
        everything: ["gold", "silver", "pro"]
    )
    @MainActor private static let otherCatalogue = catalogue(gold: ["platinum"], everything: ["silver"])
    @MainActor private static let twiceCatalogue = catalogue(
        gold: ["gold"],
        everything: ["gold", "silver"],
        and: #"{"id":"gold-again","product":"gold","kind":"lasting","grants":["extra"]},"#
    )
    @MainActor private static let olderCatalogue = Catalogue.known(
        items: #"{"id":"gold-pack","product":"gold","kind":"lasting","grants":["gold"]}"#
    )
    @MainActor private static let otherKindsCatalogue = Catalogue.known(
        items: #"""
            {"id":"gold-pack","product":"gold","kind":"consumable","doses":5,"grants":["gold"]},
            {"id":"all","product":"everything","kind":"subscription","grants":["gold","silver"]},
            {"id":"hints","product":"hints","kind":"consumable","doses":1000000,"grants":["hint"]},
            {"id":"pro","product":"pro","kind":"lasting","grants":["pro","hint"]}
            """#,
        rewards: #"""
            {"id":"welcome","grants":["silver","hint"],"after":"first-board","limit":9},
            {"id":"three","grants":["hint"],"doses":1000000,"limit":1000000}
            """#
    )

    @MainActor
    private static func catalogue(gold: [String], everything: [String], and items: String = "") -> Catalogue {
        .known(
            items: #"""
                {"id":"gold-pack","product":"gold","kind":"lasting","grants":\#(gold)},
                {"id":"all","product":"everything","kind":"lasting","grants":\#(everything)},\#(items)
                {"id":"hints","product":"hints","kind":"consumable","doses":10,"grants":["hint"]},
                {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]},
                {"id":"starter","kind":"lasting","grants":["starter"],"free":true}
                """#,
            rewards: #"""
                {"id":"welcome","grants":["silver"],"after":"first-board","limit":2},
                {"id":"three","grants":["hint"],"doses":3,"limit":1}
                """#
        )
    }
}
