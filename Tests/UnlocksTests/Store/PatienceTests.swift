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

    private static func sell(_ productID: ProductID, _ shop: Shop, as id: String? = nil) {
        let statement = StoreStatement.verified(StoreTransaction(id: id ?? productID.rawValue, productID: productID))
        shop.tell(statement)
    }

    /// The wakings in an hour of something that is tried again after 1, 2, 4 … seconds.
    private static let wakingsPerHour = 12

    @Test("while a delivery runs and a purchase waits for the disk, the app wakes up for the disk alone")
    func slowDelivery() throws {
        try Self.shop { shop in
            var isFull = false
            shop.storage.next = { isFull ? .fails : .succeeds }
            var delivering: CheckedContinuation<Void, Never>?
            shop.deliver = { _ in await withCheckedContinuation { delivering = $0 } }
            try shop.launch()
            Self.sell("gold", shop)
            #expect(delivering != nil)
            isFull = true
            Self.sell("silver", shop)
            let (wakings, reports) = (shop.wakings, shop.problems.count)
            shop.wait(3_600)
            #expect(shop.wakings - wakings <= Self.wakingsPerHour)
            #expect(shop.problems.count - reports <= Self.wakingsPerHour)
            isFull = false
            delivering?.resume()
            shop.deliver = { _ in }
            shop.wait(3_600)
            #expect(shop.state("gold")?.isUnlocked == true)
            #expect(shop.state("silver")?.isUnlocked == true)
        }
    }

    @Test("once anything is written, what waited for the disk is written too, and the app isn't woken for it")
    func diskWorksAgain() throws {
        try Self.shop { shop in
            try shop.launch()
            Self.sell("hints", shop)
            shop.wait(10)
            shop.storage.next = { .fails }
            Self.sell("gold", shop)
            #expect(shop.state("gold")?.isUnlocked == false)
            shop.storage.next = { .succeeds }
            let wakings = shop.wakings
            #expect(try shop.unlocks?.spend(of: "hint") == true)
            #expect(shop.state("gold")?.isUnlocked == true)
            shop.wait(0.5)
            Self.sell("silver", shop)
            shop.wait(100)
            #expect(shop.wakings - wakings <= 1, "it may be woken once, to finish both")
        }
    }

    @Test("when nothing waits, the app isn't woken at all")
    func idle() throws {
        try Self.shop { shop in
            try shop.launch()
            Self.sell("gold", shop)
            shop.wait(10)
            let wakings = shop.wakings
            shop.wait(1_000_000)
            #expect(shop.wakings == wakings)
        }
    }

    @Test(
        "each question that the store never answers stops nothing else",
        arguments: [SimulatedStore.Question.unfinished, .entitlements, .history, .app, .finish]
    )
    func silence(question: SimulatedStore.Question) throws {
        try Self.shop { shop in
            shop.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
            shop.store.unanswered = [question]
            shop.store.record(.verified(StoreTransaction(id: "1", productID: "gold")))
            try shop.launch()
            #expect(shop.unlocks?.products?.count == 3)
            var hasRefreshed = false
            let unlocks = shop.unlocks
            Task {
                await unlocks?.refresh()
                hasRefreshed = true
            }
            JobQueue.drain()
            shop.wait(29)
            // Nobody waits until something is finished.
            #expect(hasRefreshed == (question == .finish))
            shop.wait(2)
            #expect(hasRefreshed)
            // What is bought now arrives by its own way.
            Self.sell("silver", shop)
            #expect(shop.state("silver")?.isUnlocked == true)
            shop.store.unanswered = []
            JobQueue.drain()
            shop.wait(10)
            #expect(shop.state("gold")?.isUnlocked == true, "a late answer counts")
            #expect(shop.state("hint") == .locked)
            #expect(Set(shop.store.finished) == ["1", "silver"])
        }
    }

    @Test("a history that never comes keeps nobody from buying", arguments: [true, false])
    func silentHistoryOfNobody(hasPasses: Bool) throws {
        let pass = #",{"id":"pass","product":"pass","kind":"nonRenewing","days":2,"grants":["lounge"]}"#
        let items = #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]}"#
        try Shop.run(.of(items: items + (hasPasses ? pass : ""))) { shop in
            @MainActor func offer() -> ShopOffer.State? { shop.unlocks?.offers.first?.state }
            shop.store.unanswered = [.history]
            try shop.launch()
            #expect(offer() == .checking(.storeNotAsked))
            shop.wait(31)
            #expect(offer() == .forSale(price: "1 €"))
            #expect(shop.state("gold") == .locked)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            shop.store.unanswered = []
            JobQueue.drain()
            shop.refresh()
            #expect(offer() == .owned)
        }
    }

    @Test("a transaction whose finishing never ends doesn't keep others from being finished")
    func silentFinishing() throws {
        try Self.shop { shop in
            shop.store.unanswered = [.finish]
            for product: ProductID in ["gold", "silver"] {
                shop.store.record(.verified(StoreTransaction(id: product.rawValue, productID: product)))
            }
            try shop.launch()
            shop.wait(100)
            #expect(shop.store.asked[.finish] ?? 0 >= 2)
        }
    }

    @Test("products that never arrive stop nothing else")
    func noProducts() throws {
        try Self.shop { shop in
            shop.store.answersProducts = false
            shop.store.record(.verified(StoreTransaction(id: "1", productID: "gold")))
            try shop.launch()
            #expect(shop.state("gold")?.isUnlocked == true)
            #expect(shop.unlocks?.products == nil)
            shop.wait(31)
            shop.store.answerProducts()
            JobQueue.drain()
            #expect(shop.unlocks?.products?.count == 3, "a late answer counts")
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

    @Test("several refunds of one product that no update told are found at the next launch")
    func missedRefunds() throws {
        try Self.shop { shop in
            shop.store.isPack = { $0 == "hints" }
            try shop.launch()
            for id in ["1", "2", "3"] { Self.sell("hints", shop, as: id) }
            shop.wait(10)
            #expect(shop.unlocks?.balance(of: "hint") == 30)
            #expect(shop.store.finished.count == 3)
            for id in ["1", "3"] {
                shop.store.recordSilently(.verified(StoreTransaction(id: id, productID: "hints", isRevoked: true)))
            }
            try shop.launch()
            #expect(shop.unlocks?.balance(of: "hint") == 10)
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
