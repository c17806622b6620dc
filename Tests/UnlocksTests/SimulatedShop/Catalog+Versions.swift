import Foundation
import Unlocks

extension ShopHistory.Version {
    /// What is known of the catalog.
    @MainActor var facts: CatalogFacts? { Self.allFacts[self] }

    @MainActor private static let allFacts = Dictionary(uniqueKeysWithValues: written.map { ($0, CatalogFacts($0)) })

    @MainActor
    func readCatalog() -> ShopCatalog {
        do { return try ShopCatalog(json: Data(text.utf8)) } catch { preconditionFailure("\(error)") }
    }

    /// How many days a purchase is for, if it is sold for some days.
    func days(of product: ProductID) -> Int? {
        switch (self, product) {
        case (.whole, "pass"): 2
        case (.more, "pass"): 5
        case (.other, "pass"), (.whole, "day"), (.more, "day"), (.other, "day"), (.twice, "day"): 1
        case (.whole, "taste"), (.more, "taste"), (.twice, "taste"): 3
        case (.other, "taste"): 1
        default: nil
        }
    }

    /// The free uses for everybody.
    var allowances: [UnlockID: Uses.Allowance] {
        let board = Uses.Allowance(amount: 5, refill: .day, warnAt: 2)
        let export = Uses.Allowance(amount: 4)
        return switch self {
        case .whole: ["board": board, "export": export]
        case .older: [:]
        case .more:
            [
                "board": Uses.Allowance(amount: 8, refill: .day, warnAt: 0), "export": export,
                "hint": Uses.Allowance(amount: 2, refill: .week, warnAt: 5),
            ]
        case .other: ["board": Uses.Allowance(amount: 3, refill: .week)]
        case .twice: ["board": board, "export": export, "hint": Uses.Allowance(amount: 3)]
        case .otherKinds: ["board": Uses.Allowance(amount: 1_000_000, refill: .month), "export": export]
        }
    }

    /// The number of people who earn the inviter one reward; `nil` without one.
    var every: Int? {
        switch self {
        case .more: 1
        case .older, .otherKinds: nil
        case .whole, .other, .twice: 2
        }
    }

    /// The catalog as it is written.
    var text: String {
        switch self {
        case .whole: Self.text(.whole, gold: ["gold"], everything: ["gold", "silver"])
        case .more: Self.text(.more, gold: ["gold", "platinum"], everything: ["gold", "silver", "pro"])
        case .other: Self.text(.other, gold: ["platinum"], everything: ["silver"])
        case .twice:
            Self.text(
                .twice,
                gold: ["gold"],
                everything: ["gold", "silver"],
                and: [
                    #"{"id":"gold-again","product":"gold","kind":"nonConsumable","grants":["extra"]}"#,
                    // It has days, and the catalog doesn't know of them.
                    #"{"id":"pass","product":"pass","kind":"nonConsumable","grants":["lounge"]}"#,
                ]
            )
        case .older:
            ShopCatalog.text(
                items:
                    #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]\#(Self.files(.older, "gold-pack"))}"#
            )
        case .otherKinds: Self.otherKindsText
        }
    }

    private static let otherKindsText = ShopCatalog.text(
        items: #"""
            {"id":"gold-pack","product":"gold","kind":"consumable","amount":5,"grants":["gold"]\#(files(.otherKinds, "gold-pack"))},
            {"id":"all","product":"everything","kind":"subscription","grants":["gold","silver"]},
            {"id":"hints","product":"hints","kind":"consumable","amount":1000000,"grants":["hint"]\#(files(.otherKinds, "hints"))},
            {"id":"pro","product":"pro","kind":"nonConsumable","grants":["pro","hint"]},
            {"id":"pass","product":"pass","kind":"trial","days":365,"grants":["lounge"]},
            {"id":"day","product":"day","kind":"subscription","grants":["lounge"]},
            {"id":"taste","product":"taste","kind":"nonRenewing","days":3650,"grants":["studio","lounge"]},
            \#(allowances(.otherKinds))
            """#,
        rewards: #"""
            {"id":"welcome","grants":["silver","hint"],"after":"first-board","limit":9},
            {"id":"three","grants":["hint"],"amount":1000000,"limit":1000000}
            """#
    )

    private static func allowances(_ version: Self) -> String {
        version.allowances.sorted { $0.key < $1.key }.map { unlock, allowance in
            let refill = allowance.refill.map { #","refill":"\#($0.rawValue)""# } ?? ""
            let warnAt = allowance.warnAt.map { #","warnAt":\#($0)"# } ?? ""
            let (id, amount) = ("free-\(unlock)", allowance.amount)
            return
                #"{"id":"\#(id)","kind":"allowance","amount":\#(amount)\#(refill)\#(warnAt),"grants":["\#(unlock)"]}"#
        }.joined(separator: ",\n")
    }

    private static func terms(_ version: Self) -> [String] {
        ShopHistory.terms.sorted { $0.key < $1.key }.compactMap { product, unlock in
            version.days(of: product).map { days in
                let kind = product == "taste" ? "trial" : "nonRenewing"
                let grants = #""grants":["\#(unlock)"]\#(files(version, product.rawValue))"#
                return
                    #"{"id":"\#(product)","product":"\#(product)","kind":"\#(kind)","days":\#(days),\#(grants)}"#
            }
        }
    }

    private static func text(_ version: Self, gold: [String], everything: [String], and items: [String] = [])
        -> String
    {
        ShopCatalog.text(
            items: ([
                #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":\#(gold)\#(files(version, "gold-pack"))}"#,
                #"{"id":"all","product":"everything","kind":"nonConsumable","grants":\#(everything)\#(files(version, "all"))}"#,
            ] + items + [
                #"{"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}"#,
                #"{"id":"pro","product":"pro","kind":"subscription","grants":["pro"]\#(files(version, "pro"))}"#,
                #"{"id":"starter","kind":"nonConsumable","grants":["starter"],"free":true\#(files(version, "starter"))}"#,
                allowances(version),
            ] + terms(version)).joined(separator: ",\n"),
            rewards: #"""
                {"id":"welcome","grants":["silver"],"after":"first-board","limit":2},
                {"id":"three","grants":["hint"],"amount":3,"limit":1},
                {"id":"host","for":"inviter","program":"party","grants":["guest"],"amount":2,
                 "every":\#(version.every ?? 1),"limit":3}
                """#
        )
    }
}
