import Foundation
import Simulation
import Testing
import Unlocks

/// What a catalogue that changes means for who has something already.
@MainActor
struct CatalogueChangeTests {
    private static func catalogue(_ grants: String) throws -> Catalogue {
        try .of(items: #"{"id":"gold-pack","product":"gold","kind":"lasting","grants":[\#(grants)]}"#)
    }

    private static func use(_ catalogue: Catalogue, _ shop: Shop) {
        shop.catalogue = catalogue
        Task { await shop.unlocks?.use(catalogue) }
        JobQueue.drain()
    }

    @Test("what a catalogue adds to what somebody has, a later one doesn't take away", arguments: [true, false])
    func addition(isRelaunched: Bool) throws {
        let (small, large) = try (Self.catalogue(#""gold""#), Self.catalogue(#""gold","silver""#))
        try Shop.run(small) { shop in
            shop.store.record(.verified(StoreTransaction(id: "1", product: "gold")))
            try shop.launch()
            #expect(shop.state("silver") == .locked)
            if isRelaunched {
                shop.catalogue = large
                try shop.launch()
            } else {
                // It is open at once, whatever the disk does, and written down when it can be.
                shop.storage.next = { .fails }
                Self.use(large, shop)
                #expect(shop.state("silver")?.isUnlocked == true)
                shop.storage.next = { .succeeds }
                shop.wait(10)
            }
            Self.use(small, shop)
            #expect(shop.state("silver")?.isUnlocked == true && shop.state("gold")?.isUnlocked == true)
            try shop.launch()
            #expect(shop.state("silver")?.isUnlocked == true)
            let writes = shop.storage.journalWrites
            Self.use(large, shop)
            #expect(shop.storage.journalWrites == writes, "it is written once")
            // Who buys the item now has what it opens now.
            Self.use(small, shop)
            shop.store.forgetAll()
            shop.store.record(.verified(StoreTransaction(id: "1", product: "gold", isRevoked: true)))
            shop.store.record(.verified(StoreTransaction(id: "2", product: "gold")))
            try shop.launch()
            shop.wait(10)
            #expect(shop.state("gold") == .unlocked(by: [.purchase(transaction: "2")]))
            #expect(shop.state("silver") == .locked)
        }
    }
}
