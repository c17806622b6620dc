import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// When the store is asked, and whether it answered.
@MainActor
struct AnswerTests {
    // MARK: Whether it is an answer

    @Test(
        "an owner who reinstalls the app offline isn't locked out, and hears what they have once they are online",
        arguments: [true, false]
    )
    func reinstalledOffline(hasCopy: Bool) throws {
        try Shop.run { shop in
            if hasCopy {
                shop.paidBefore = PaidBefore(grants: ["extra"], firstFreeVersions: [.iOS: "2"])
                shop.store.app = .onIPhone("2", signed: shop.now.date)
                shop.store.appCopy = shop.store.app
            }
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            shop.store.isReachable = false
            for _ in 0..<2 {
                try shop.launch()
                #expect(shop.state("gold") == .unknown(.storeNotAsked))
            }
            shop.store.isReachable = true
            shop.refresh()
            #expect(shop.state("gold")?.isUnlocked == true)
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test(
        "a list from before the store was reached isn't its answer, so an owner who comes online isn't locked out",
        arguments: [true, false]
    )
    func listBeforeTheStore(isHistoryLate: Bool) throws {
        try Shop.run { shop in
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            (shop.store.isReachable, shop.store.answersProducts) = (false, false)
            if isHistoryLate { (shop.store.unanswered, shop.store.isStale) = ([.history], true) }
            try shop.launch()
            #expect(shop.state("gold") == .unknown(.storeNotAsked))
            (shop.store.isReachable, shop.store.isStale) = (true, false)
            shop.store.answerProducts()
            JobQueue.drain()
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(shop.state("gold")?.isUnlocked == true)
            #expect(shop.state("pro") == .locked)
        }
    }

    // MARK: Renewals

    /// A period of the subscription, which ends so many seconds after a moment.
    private static func period(_ id: String, _ seconds: Double, after date: Date) -> StoreTransaction {
        StoreTransaction(
            id: id,
            originalID: "1",
            productID: "pro",
            productKind: .subscription,
            expirationDate: date + seconds
        )
    }

    /// A subscriber whose first period has ended.
    private static func subscriber(_ test: @escaping @MainActor (Shop, _ start: Date) throws -> Void) throws {
        try Shop.run { shop in
            let start = shop.now.date
            shop.store.record(.verified(StoreTransaction(id: "gold", productID: "gold")))
            shop.store.record(.verified(period("1", 3_000, after: start)))
            try shop.launch()
            #expect(shop.state("pro") == .unlocked(by: [.purchase(transaction: "1")]))
            shop.wait(4_000)
            try test(shop, start)
        }
    }

    @Test("a subscriber isn't locked out while the next period isn't in the catalog, or can't be delivered")
    func waitingPeriod() throws {
        struct Failure: Error {}
        for isMissing in [true, false] {
            try Self.subscriber { shop, start in
                if isMissing {
                    try shop.use(
                        .of(items: #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]}"#)
                    )
                } else {
                    shop.deliver = { _ in throw Failure() }
                }
                shop.store.record(.verified(Self.period("2", 3e6, after: start)))
                for _ in 0..<3 {
                    shop.refresh()
                    #expect(shop.state("pro") == .unlocked(by: [.purchase(transaction: "1")]))
                    shop.wait(2 * 86_400)
                }
                shop.deliver = { _ in }
                shop.use(.goldAndPro)
                shop.wait(4_000)
                #expect(shop.state("pro")?.isUnlocked == true)
                shop.refresh()
                #expect(shop.state("pro") == .unlocked(by: [.purchase(transaction: "2")]))
                // In the end it ends.
                shop.wait(4e6)
                shop.refresh()
                #expect(shop.state("pro") == .locked)
            }
        }
    }

    // MARK: When it is asked

    @Test("the store is asked again when the app becomes active, at most every 15 minutes")
    func activation() throws {
        try Shop.run { shop in
            try shop.launch()
            var asked = shop.store.askedProducts
            @MainActor func isAsked() -> Bool {
                shop.activity.becomeActive()
                JobQueue.drain()
                defer { asked = shop.store.askedProducts }
                return shop.store.askedProducts > asked
            }
            #expect(!isAsked())
            shop.wait(899)
            #expect(!isAsked())
            shop.wait(1)
            #expect(isAsked())
            #expect(!isAsked())
            shop.setClock(by: -1_000_000)
            shop.wait(899)
            #expect(!isAsked(), "the clock of the pause isn't the one that is set")
            shop.wait(1)
            #expect(isAsked())
            shop.wait(900)
            shop.activity.leave()
            JobQueue.drain()
            #expect(shop.store.askedProducts == asked, "nobody waits for an answer")
            for _ in 0..<2 { shop.activity.becomeActive() }
            JobQueue.drain()
            #expect(shop.store.askedProducts == asked + 1)
        }
    }

    @Test("the store is asked again when a purchase sheet closes, whatever came of it")
    func sheet() throws {
        try Shop.run { shop in
            try shop.launch()
            let answers: [@MainActor (ProductID) throws -> StorePurchaseResult] = [
                { _ in .cancelled }, { _ in .pending }, { _ in throw SimulatedStore.Unreachable() },
            ]
            for answer in answers {
                let asked = shop.store.askedProducts
                shop.store.answer = answer
                _ = try? shop.buy("gold-pack")
                #expect(shop.store.askedProducts == asked + 1)
            }
        }
    }

    @Test("another storefront has other prices, so they are asked for again")
    func storefront() throws {
        try Shop.run { shop in
            try shop.launch()
            let asked = shop.store.askedProducts
            shop.store.products = ["gold"]
            shop.store.changeStorefront()
            JobQueue.drain()
            #expect(shop.store.askedProducts == asked + 1)
            #expect(shop.unlocks?.products?.keys.sorted() == ["gold"])
            try shop.use(.of(items: #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]}"#))
            #expect(shop.store.asked[.entitlements] == 2, "the user's purchases are asked for at the launch alone")
        }
    }

    @Test("an empty list of products leaves the prices, and is asked for again soon, and then less and less often")
    func emptyList() throws {
        try Shop.run { shop in
            try shop.launch()
            var asked = [shop.store.askedProducts]
            shop.store.products = []
            shop.refresh()
            for seconds in [0, 1.1, 2, 4] {
                shop.wait(seconds)
                asked.append(shop.store.askedProducts)
            }
            #expect(asked == Array(asked[0]...asked[0] + 4))
            #expect(shop.unlocks?.products?.keys.sorted() == ["gold", "pro"] && shop.unlocks?.isOffline == true)
            shop.store.products = ["gold"]
            shop.wait(10_000)
            #expect(shop.unlocks?.products?.keys.sorted() == ["gold"] && shop.unlocks?.isOffline == false)
            #expect(shop.store.askedProducts == asked[0] + 5)
        }
    }

    // MARK: Outside of the app

    @Test("a promoted product is bought, unless the app puts it off; what the catalog doesn't know is reported")
    func promoted() throws {
        try Shop.run { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var bought: [ProductID] = []
            shop.store.answer = { product in
                bought.append(product)
                return .cancelled
            }
            shop.store.promote("gold")
            JobQueue.drain()
            #expect(bought == ["gold"])
            #expect(shop.problems.isEmpty)
            var offered: [ItemID] = []
            unlocks.onPurchaseIntent = { item in
                offered.append(item.id)
                return item.id == "pro"
            }
            for product: ProductID in ["gold", "pro", "lead"] { shop.store.promote(product) }
            JobQueue.drain()
            #expect(bought == ["gold", "pro"])
            #expect(offered == ["gold-pack", "pro"])
            shop.store.answer = { _ in throw SimulatedStore.Unreachable() }
            shop.store.promote("pro")
            JobQueue.drain()
            let failed = shop.problems.compactMap { if case .notBought(let product, _) = $0 { product } else { nil } }
            #expect(failed == ["lead", "pro"])
        }
    }
}
