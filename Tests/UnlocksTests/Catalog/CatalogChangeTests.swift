import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What a catalog that changes means for who has something already.
@MainActor
struct CatalogChangeTests {
    private static func catalog(_ grants: String) throws -> ShopCatalog {
        try .of(items: #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":[\#(grants)]}"#)
    }

    @Test("what a catalog leaves out is reported at each launch and with each new catalog, once")
    func leftOut() throws {
        func catalog(_ revision: Int) throws -> ShopCatalog {
            let json = #"{"format":1,"revision":\#(revision),"items":[7,{"id":"a"}],"rewards":[{"id":"b"}]}"#
            return try ShopCatalog(json: Data(json.utf8))
        }
        let (first, second) = (try catalog(1), try catalog(2))
        try Shop.run(first) { shop in
            @MainActor func reports(of revision: Int) -> [WrongMember] {
                shop.problems.compactMap { if case .leftOut(let entry, revision) = $0 { entry } else { nil } }
            }
            try shop.launch()
            #expect(reports(of: 1) == first.rejections)
            #expect(first.rejections.count == 3)
            shop.refresh()
            shop.use(first)
            #expect(reports(of: 1).count == 3)
            shop.use(second)
            shop.use(second)
            #expect(reports(of: 1).count == 3)
            #expect(reports(of: 2) == second.rejections)
            try shop.launch()
            #expect(reports(of: 1).count == 3)
            #expect(reports(of: 2).count == 6)
        }
        // Before the start there may be nobody to hear it.
        try Shop.run(first) { shop in
            let unlocks = shop.makeUnlocks()
            Task { await unlocks.use(second) }
            JobQueue.drain()
            #expect(shop.problems.isEmpty)
            unlocks.start()
            JobQueue.drain()
            #expect(shop.problems.count == 3)
        }
    }

    @Test(
        "whoever took an item for free keeps what it opens, and doesn't get the files of one that is sold under its name"
    )
    func freeItemIsSold() throws {
        let file =
            #"{"path":"paid","url":"https://example.com/paid","length":4,"sha256":"\#(String(repeating: "0", count: 64))"}"#
        let free = #"{"id":"extra","kind":"nonConsumable","grants":["extra"],"free":true}"#
        let sold = #"{"id":"extra","product":"extra","kind":"nonConsumable","grants":["extra"],"files":[\#(file)]}"#
        try Shop.run(.of(items: free)) { shop in
            try shop.launch()
            _ = try shop.buy("extra")
            #expect(shop.deliveries.count == 1)
            try shop.use(.of(items: sold))
            #expect(shop.unlocks?.progress(of: "extra") == nil)
            try shop.launch()
            #expect(shop.state("extra")?.isUnlocked == true)
            #expect(shop.unlocks?.progress(of: "extra") == nil && shop.deliveries.count == 1)
            let failed = shop.problems.contains { if case .notDownloaded = $0 { true } else { false } }
            #expect(!failed, "nothing was asked for")
        }
    }

    @Test("what a catalog adds to what somebody has, a later one doesn't take away", arguments: [true, false])
    func addition(isRelaunched: Bool) throws {
        let (small, large) = try (Self.catalog(#""gold""#), Self.catalog(#""gold","silver""#))
        try Shop.run(small) { shop in
            shop.store.record(.verified(StoreTransaction(id: "1", productID: "gold")))
            try shop.launch()
            #expect(shop.state("silver") == .locked)
            if isRelaunched {
                shop.catalog = large
                try shop.launch()
            } else {
                // It is open at once, whatever the disk does, and written down when it can be.
                shop.storage.next = { .fails }
                shop.use(large)
                #expect(shop.state("silver")?.isUnlocked == true)
                shop.storage.next = { .succeeds }
                shop.wait(10)
            }
            shop.use(small)
            #expect(shop.state("silver")?.isUnlocked == true)
            #expect(shop.state("gold")?.isUnlocked == true)
            try shop.launch()
            #expect(shop.state("silver")?.isUnlocked == true)
            let writes = shop.storage.journalWrites
            shop.use(large)
            #expect(shop.storage.journalWrites == writes, "it is written once")
            // Who buys the item now has what it opens now.
            shop.use(small)
            shop.store.forgetAll()
            shop.store.record(.verified(StoreTransaction(id: "1", productID: "gold", isRevoked: true)))
            shop.store.record(.verified(StoreTransaction(id: "2", productID: "gold")))
            try shop.launch()
            shop.wait(10)
            #expect(shop.state("gold") == .unlocked(by: [.purchase(transaction: "2")]))
            #expect(shop.state("silver") == .locked)
        }
    }

    @Test(
        "what lasts by the store's word isn't a pack for ever because a catalog once called it one",
        arguments: [.nonConsumable, .subscription, .consumable] as [StoreTransaction.ProductKind]
    )
    func lastingRecordedAsPack(kind: StoreTransaction.ProductKind) throws {
        let pack = #"{"id":"gold-pack","product":"gold","kind":"consumable","amount":5,"grants":["gold"]}"#
        try Shop.run(.of(items: pack)) { shop in
            shop.store.record(.verified(StoreTransaction(id: "1", productID: "gold", productKind: kind)))
            try shop.launch()
            #expect(shop.unlocks?.balance(of: "gold") == 5)
            try shop.use(Self.catalog(#""gold""#))
            #expect(shop.unlocks?.balance(of: "gold") == (kind == .consumable ? 5 : .unlimited))
        }
    }

    @Test("what the store renews lasts as long as the store says, whatever the catalog calls it")
    func subscriptionWithDays() throws {
        for kind in [#""nonRenewing","days":2"#, #""trial","days":2"#, #""nonRenewing","days":3650"#] {
            let items = #"{"id":"pro","product":"pro","kind":\#(kind),"grants":["pro"]}"#
            try Shop.run(.of(items: items)) { shop in
                let day = 86_400.0
                let end = shop.now.date + 30 * day
                let pro = StoreTransaction(
                    id: "1",
                    productID: "pro",
                    productKind: .subscription,
                    purchaseDate: shop.now.date,
                    expirationDate: end
                )
                shop.store.record(.verified(pro))
                try shop.launch()
                shop.wait(29 * day)
                #expect(shop.state("pro")?.isUnlocked == true, "\(kind)")
                shop.wait(2 * day)
                shop.refresh()
                #expect(shop.state("pro") == .locked, "\(kind)")
            }
        }
    }
}
