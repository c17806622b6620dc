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
            var result: Result<UnlockCenter.Restoration, any Error>?
            Task { do { result = .success(try await unlocks.restore()) } catch { result = .failure(error) } }
            JobQueue.drain()
            shop.wait(31)
            #expect(shop.state("gold") == .locked)
            #expect(throws: UnlocksError.self) { try result?.get() }
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
            shop.wait(10_000)
            #expect(shop.unlocks?.offers.first?.state == .forSale(price: "1 €"))
        }
    }

    @Test("what has ended while the device slept is told when the app becomes active")
    func endedWhileAsleep() throws {
        let items = #"{"id":"pass","product":"pass","kind":"nonRenewing","days":1,"grants":["lounge"]}"#
        try Shop.run(.of(items: items)) { shop in
            shop.store.record(
                .verified(
                    StoreTransaction(
                        id: "1",
                        productID: "pass",
                        productKind: .nonRenewing,
                        purchaseDate: shop.now.date.addingTimeInterval(300 - 86_400)
                    )
                )
            )
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

    @Test("a renewal that only the history knows counts after a long time offline", arguments: [true, false])
    func renewalInHistoryOnly(hasOther: Bool) throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.now = { shop.now.date }
            let start = shop.now.date
            func period(_ id: String, _ days: Double) -> StoreStatement {
                .verified(
                    StoreTransaction(
                        id: id,
                        originalID: "1",
                        productID: "club",
                        productKind: .subscription,
                        purchaseDate: start + (days - 30) * 86_400,
                        signedDate: start + (days - 30) * 86_400,
                        expirationDate: start + days * 86_400
                    )
                )
            }
            let gold = StoreStatement.verified(StoreTransaction(id: "7", productID: "gold"))
            shop.tell(period("1", 30))
            shop.store.record(period("1", 30))
            if hasOther { shop.store.record(gold) }
            try shop.launch()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.end()
            shop.wait(40 * 86_400)
            shop.store.recordSilently(period("2", 60))
            shop.store.listed = hasOther ? [gold] : []
            try shop.launch()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("a restoration asks the history, also if something is listed")
    func restoredFromHistory() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.now = { shop.now.date }
            let gold = StoreStatement.verified(StoreTransaction(id: "7", productID: "gold"))
            shop.store.recordSilently(gold)
            shop.store.recordSilently(
                .verified(
                    StoreTransaction(
                        id: "2",
                        productID: "club",
                        productKind: .subscription,
                        expirationDate: shop.now.date + 86_400
                    )
                )
            )
            shop.store.listed = [gold]
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            _ = Task { _ = try await unlocks.restore() }
            JobQueue.drain()
            shop.wait(31)
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }
}
