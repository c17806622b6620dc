import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing

@testable import Unlocks

/// Until when a subscription is open, and what is known after that.
@MainActor
struct SubscriptionEndTests {
    private static let day = 86_400.0

    /// Buys a subscription.
    private func subscribe(_ shop: Shop, for seconds: Double) {
        let now = shop.now.date
        shop.tell(
            .verified(StoreTransaction(id: "1", productID: "pro", signedDate: now, expirationDate: now + seconds))
        )
    }

    @Test("an ended subscription that the store has unfinished isn't opened: only its list of purchases is an answer")
    func endedUnfinished() throws {
        try Shop.run { shop in
            let ended = StoreTransaction(
                id: "1",
                productID: "pro",
                productKind: .subscription,
                signedDate: shop.now.date - 100,
                expirationDate: shop.now.date - 50
            )
            shop.store.record(.verified(ended))
            try shop.launch()
            #expect(shop.state("pro") == .locked)
            shop.wait(60)
            shop.refresh()
            #expect(shop.state("pro") == .locked)
            #expect(shop.store.finished.contains("1"))
        }
    }

    @Test("a list alone, which may be StoreKit's own copy, is no answer about a subscription that has expired")
    func listAlone() throws {
        try Shop.run { shop in
            let gold = StoreStatement.verified(StoreTransaction(id: "9", productID: "gold"))
            shop.store.recordSilently(gold)
            try shop.launch()
            subscribe(shop, for: 100)
            shop.store.isReachable = false
            shop.store.listed = [gold]
            shop.wait(100)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true, "a renewed subscriber who is offline isn't locked out")
            // Nor does it prolong one.
            shop.store.listed = shop.store.statements
            shop.wait(2 * Self.day)
            shop.refresh()
            shop.wait(Self.day)
            #expect(shop.state("pro") == .unknown(.storeNotAsked))
        }
    }

    @Test("the system's own copy of the app transaction is no answer about a subscription that has expired")
    func copyOfAppTransaction() throws {
        try Shop.run { shop in
            var app = AppPurchase.onIPhone("2", signed: shop.now.date)
            shop.paidBefore = PaidBefore(grants: ["extra"], firstFreeVersions: [.iOS: "2"])
            (shop.store.app, shop.store.appCopy) = (app, app)
            try shop.launch()
            subscribe(shop, for: 100)
            (shop.store.isReachable, shop.store.listed) = (false, [])
            shop.wait(100)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true, "a renewed subscriber who is offline isn't locked out")
            app.signedDate = shop.now.date
            shop.store.appCopy = app
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true, "the copy is newer, and the store isn't reached")
            shop.wait(1)
            app.signedDate = shop.now.date
            (shop.store.app, shop.store.isReachable, shop.store.products) = (app, true, [])
            shop.refresh()
            #expect(shop.state("pro") == .locked, "a new statement of a store that is reached is one")
        }
    }

    @Test("an answer is of the moment of its question: what ends while it waits isn't ended by it")
    func endsDuringQuestion() throws {
        try Shop.run { shop in
            try shop.launch()
            subscribe(shop, for: 100)
            (shop.store.listed, shop.store.unanswered) = ([], [.entitlements])
            shop.refresh()
            shop.wait(100)
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }
}
