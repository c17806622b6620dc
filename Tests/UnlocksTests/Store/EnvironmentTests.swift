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
        let transaction = StoreTransaction(id: id, productID: productID, environment: environment)
        shop.tell(.verified(transaction))
    }

    @Test("purchases, spent doses and answers of TestFlight stay there, and count again when the tester returns")
    func testFlight() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.environment = .sandbox
            shop.store.isPack = { $0 == "hints" }
            try shop.launch()
            buy("1", "gold", .sandbox, in: shop)
            buy("2", "hints", .sandbox, in: shop)
            #expect(try shop.unlocks?.spend(4, of: "hint") == true)
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            #expect(shop.unlocks?.balance(of: "hint") == 6)
            let delivered = shop.deliveries.count

            shop.store.environment = .production
            shop.store.isReachable = false
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold") == .unknown(.storeNotAsked))
            #expect(shop.unlocks?.balance(of: "hint") == .unknown)
            shop.store.isReachable = true
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold") == .locked)
            buy("3", "hints", .production, in: shop)
            #expect(shop.unlocks?.balance(of: "hint") == 10)
            #expect(try shop.unlocks?.spend(10, of: "hint") == true)

            shop.store.environment = .sandbox
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            #expect(shop.unlocks?.balance(of: "hint") == 6)
            #expect(shop.deliveries.count == delivered + 1)
        }
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

    @Test("what waits in the queue isn't delivered in another environment, which neither restores nor resets it")
    func leftAlone() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.environment = .sandbox
            try shop.launch()
            buy("1", "gold", .sandbox, in: shop)
            let content = shop.storage.folders
            shop.deliver = { _ in throw SimulatedStore.Unreachable() }
            buy("2", "hints", .sandbox, in: shop)
            shop.deliver = { _ in }
            shop.store.environment = .production
            buy("3", "hints", .production, in: shop)
            shop.wait(10_000)
            #expect(shop.deliveries.compactMap(\.transaction?.id) == ["1", "3"])

            shop.store.recordSilently(
                .verified(StoreTransaction(id: "3", productID: "hints", environment: .production, isRevoked: true))
            )
            var restored: UnlockCenter.Restoration?
            _ = Task { restored = try await shop.unlocks?.restore() }
            JobQueue.drain()
            #expect(restored == .nothingFound)
            try shop.unlocks?.reset()
            JobQueue.drain()
            #expect(shop.storage.folders.keys.contains { content.keys.contains($0) })
        }
    }

    @Test("a delivery has the statement as the store has signed it, which isn't kept on the disk")
    func signedText() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            var transaction = StoreTransaction(id: "7", productID: "gold", signedText: "header.payload.signature")
            shop.tell(.verified(transaction))
            #expect(shop.deliveries.map(\.transaction?.signedText) == ["header.payload.signature"])
            #expect(!String(decoding: shop.storage.journal, as: UTF8.self).contains("signature"))
            // A statement whose text is another one is the same statement.
            let journal = shop.storage.journal
            transaction.signedText = "header.payload.signature2"
            shop.store.announce(.verified(transaction))
            JobQueue.drain()
            #expect(shop.storage.journal == journal)
            #expect(shop.deliveries.count == 1)
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
