import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What was delivered before, and is delivered again.
extension DeliveryTests {
    @Test("a reset delivers everything again, and locks nothing meanwhile")
    func reset() throws {
        try Self.shop { shop in
            try shop.launch()
            buy("gold", in: shop)
            let folder = try #require(shop.storage.folders.keys.first)
            shop.storage.folders[folder] = ["content"]
            shop.deliver = { _ in throw Offline() }
            try shop.unlocks?.reset()
            JobQueue.drain()
            #expect(shop.storage.folders == [folder: []])
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            #expect(shop.deliveries.count == 1)
            shop.deliver = { _ in }
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            #expect(shop.deliveries.count == 2)
            try shop.launch()
            #expect(shop.deliveries.count == 2)
        }
    }

    @Test("content that is gone, as after a restore from a backup, is delivered again, and nothing is locked meanwhile")
    func lostContent() throws {
        try Self.shop { shop in
            try shop.launch()
            buy("gold", in: shop, as: StoreTransaction(id: "1", productID: "gold"))
            buy("silver", in: shop)
            shop.end()
            shop.storage.folders["purchase-1"] = nil
            shop.deliver = { _ in throw Offline() }
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            #expect(shop.deliveries.count == 2)
            shop.deliver = { _ in }
            shop.wait(2)
            #expect(shop.deliveries.last?.unlocks == ["gold"])
            #expect(shop.deliveries.count == 3)
        }
    }

    @Test(
        "content that is gone of something used up or over is delivered again once there is more of it",
        arguments: ["hints", "pro"] as [ProductID]
    )
    func contentOfUse(product: ProductID) throws {
        let items = #"""
            {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]},
            {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]}
            """#
        try Shop.run(.of(items: items)) { shop in
            let isPack = product == "hints"
            shop.store.isPack = { $0 == "hints" }
            shop.store.now = { shop.now.date }
            var first = StoreTransaction(id: "1", productID: product)
            if !isPack { first.expirationDate = shop.now.date + 100 }
            try shop.launch()
            buy(product, in: shop, as: first)
            if isPack { #expect(try shop.unlocks?.spend(10, of: "hint") == true) }
            shop.wait(100 + 4 * 86_400)
            shop.end()
            shop.storage.folders = [:]
            try shop.launch()
            shop.wait(60)
            #expect(shop.deliveries.count == 1)

            var second = isPack ? StoreTransaction(id: "2", productID: product) : first
            if !isPack { second.expirationDate = shop.now.date + 100_000 }
            buy(product, in: shop, as: second)
            shop.wait(60)
            #expect(shop.storage.folders["purchase-1"] != nil)
            #expect(shop.deliveries.count == (isPack ? 3 : 2))
            shop.wait(1_000)
            #expect(shop.deliveries.count == (isPack ? 3 : 2), "it is delivered once")
        }
    }

    @Test("a refund that is taken back delivers again; an older statement changes nothing")
    func reversal() throws {
        try Self.shop { shop in
            try shop.launch()
            @MainActor func say(_ signed: Double, isRevoked: Bool) {
                let date = Date(timeIntervalSince1970: signed)
                let transaction = StoreTransaction(id: "1", productID: "gold", signedDate: date, isRevoked: isRevoked)
                buy("gold", in: shop, as: transaction)
            }
            say(1, isRevoked: false)
            say(3, isRevoked: true)
            #expect(shop.unlocks?.state(of: "gold") == .locked)
            say(2, isRevoked: false)
            #expect(shop.unlocks?.state(of: "gold") == .locked)
            #expect(shop.deliveries.count == 1)
            say(4, isRevoked: false)
            #expect(shop.state("gold") == .unlocked(by: [.purchase(transaction: "1")]))
            #expect(shop.deliveries.count == 2)
            say(3, isRevoked: true)
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            say(4, isRevoked: true)
            #expect(shop.unlocks?.state(of: "gold") == .locked, "signed at the same moment, a revocation counts")
        }
    }
}
