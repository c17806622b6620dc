import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// A store, a delivery or a disk that is slow or silent stops nothing else, and isn't asked again and again.
@MainActor
struct PatienceTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#

    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items), test)
    }

    @Test("once anything is written, what waited for the disk is written too, and the app isn't woken for it")
    func diskWorksAgain() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.tell(.verified(StoreTransaction(id: "hints", productID: "hints")))
            shop.wait(10)
            shop.storage.next = { .fails }
            shop.tell(.verified(StoreTransaction(id: "gold", productID: "gold")))
            #expect(shop.state("gold")?.isUnlocked == false)
            shop.storage.next = { .succeeds }
            let wakings = shop.wakings
            #expect(try shop.unlocks?.spend(of: "hint") == true)
            #expect(shop.state("gold")?.isUnlocked == true)
            shop.wait(0.5)
            shop.tell(.verified(StoreTransaction(id: "silver", productID: "silver")))
            shop.wait(100)
            #expect(shop.wakings - wakings <= 1, "it may be woken once, to finish both")
        }
    }

    @Test("many purchases at once are written at once, and finished in few passes")
    func manyPurchases() throws {
        try Self.shop { shop in
            for number in 0..<200 {
                shop.store.record(.verified(StoreTransaction(id: "\(number)", productID: "hints")))
            }
            let before = shop.storage.journalWrites
            try shop.launch()
            shop.wait(60)
            #expect(shop.unlocks?.balance(of: "hint") == 2_000)
            #expect(shop.store.finished.count == 200)
            // One for all purchases, one for each delivery, and a few for the store's answers.
            #expect(shop.storage.journalWrites - before < 210)
            #expect(shop.store.asked[.unfinished] ?? 0 < 10)
        }
    }

    @Test("after a restore from a backup nothing is written, and what has ended or is used up isn't delivered again")
    func restoredBackup() throws {
        try Self.shop { shop in
            for number in 0..<100 {
                shop.store.record(.verified(StoreTransaction(id: "\(number)", productID: "gold")))
            }
            shop.store.record(.verified(StoreTransaction(id: "pack", productID: "hints")))
            try shop.launch()
            shop.wait(60)
            #expect(try shop.unlocks?.spend(10, of: "hint") == true)
            #expect(shop.deliveries.count == 101)
            shop.end()
            shop.storage.folders = [:]
            try shop.launch()
            let before = shop.storage.journalWrites
            shop.wait(60)
            #expect(shop.deliveries.count == 201)
            #expect(shop.storage.journalWrites - before <= 1)
        }
    }
}
