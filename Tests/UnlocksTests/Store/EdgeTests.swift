import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBasics
@testable import Unlocks

/// Answers that come late, twice or never, and what happens on a full disk or while the device sleeps.
@MainActor
struct EdgeTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"club","product":"club","kind":"subscription","grants":["pro"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#

    @Test("a restoration that can't be written isn't told as if all were here")
    func restoredOnFullDisk() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            shop.storage.next = { .fails }
            let restoration = Attempt { try await unlocks.restore() }
            shop.wait(31)
            #expect(shop.state("gold") == .locked)
            #expect(throws: UnlocksError.self) { try restoration.get() }
        }
    }

    @Test("another edition's items get prices")
    func otherEdition() throws {
        let items =
            #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"],"includedIn":["full"]}"#
        try Shop.run(.of(items: items)) { shop in
            shop.context = ShopContext(appVersion: "3.0", platform: .iOS, edition: "full", languages: ["en"])
            try shop.launch()
            #expect(shop.unlocks?.offers.first?.state == .included)
            shop.unlocks?.context.edition = nil
            #expect(shop.unlocks?.isLoading == false, "only prices are asked for")
            shop.wait(10_000)
            #expect(shop.unlocks?.offers.first?.state == .forSale(price: "1 €"))
        }
    }

    @Test("what has ended while the device slept is told when the app becomes active")
    func endedWhileAsleep() throws {
        let items = #"{"id":"pass","product":"pass","kind":"nonRenewing","days":1,"grants":["lounge"]}"#
        try Shop.run(.of(items: items)) { shop in
            let date = shop.now.date + 300 - 86_400
            let pass = StoreTransaction(id: "1", productID: "pass", productKind: .nonRenewing, purchaseDate: date)
            shop.store.record(.verified(pass))
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "lounge" { seen.append(change.state) }
            }
            JobQueue.drain()
            #expect(seen.last?.isUnlocked == true)
            shop.setClock(by: 600)
            shop.activity.becomeActive()
            JobQueue.drain()
            #expect(seen.last == .locked)
            task.cancel()
        }
    }
}
