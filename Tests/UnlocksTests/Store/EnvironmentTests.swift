import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What was bought in TestFlight opens nothing in the app from the App Store, which is installed over it.
@MainActor
struct EnvironmentTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#

    private func buy(_ id: String, _ productID: ProductID, _ environment: StoreEnvironment?, in shop: Shop) {
        shop.tell(.verified(StoreTransaction(id: id, productID: productID, environment: environment)))
    }

    @Test("a store that tells its environment late is followed at once, and what waits for it is delivered")
    func late() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.environment = .sandbox
            shop.deliver = { _ in throw SimulatedStore.Unreachable() }
            try shop.launch()
            buy("1", "gold", .sandbox, in: shop)
            shop.deliver = { _ in }
            shop.store.environment = nil
            try shop.launch()
            shop.wait(10_000)
            #expect(shop.deliveries.isEmpty, "without a word, it is production")
            shop.store.environment = .sandbox
            buy("2", "hints", .sandbox, in: shop)
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            shop.refresh()
            #expect(shop.store.finished.sorted() == ["1", "2"])
        }
    }

    @Test("if the device allows no payments, nothing is for sale, and what is free is")
    func noPayments() throws {
        let items = Self.items + #",{"id":"pencil","kind":"nonConsumable","grants":["pencil"],"free":true}"#
        try Shop.run(.of(items: items)) { shop in
            shop.store.canMakePayments = false
            try shop.launch()
            let states = shop.unlocks?.offers.map(\.state) ?? []
            #expect(states.last == .free)
            #expect(states.dropLast().allSatisfy { $0 == .unavailable(.notAllowed) })
            // Nor is anything before its price is known.
            shop.end()
            shop.store.isReachable = false
            try shop.launch()
            #expect(shop.unlocks?.products == nil)
            shop.store.promote("gold")
            JobQueue.drain()
            #expect(
                shop.problems.contains {
                    if case .notBought("gold", UnlocksError.notForSale(.unavailable(.notAllowed))) = $0 {
                        true
                    } else {
                        false
                    }
                }
            )
        }
    }
}
