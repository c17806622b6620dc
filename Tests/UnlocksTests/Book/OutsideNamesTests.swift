import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlockCatalog

@testable import Unlocks

/// Names from the store and from the journal are bytes, and not longer than others.
@MainActor
struct OutsideNamesTests {
    nonisolated private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]}
        """#

    // MARK: The store

    @Test(
        "a purchase with another name, or one that isn't verified, doesn't hide that a recorded one is missing",
        arguments: [
            StoreStatement.verified(StoreTransaction(id: decomposed, productID: "silver")),
            .unverified(StoreTransaction(id: composed, productID: "gold"), reason: "forged"),
        ]
    )
    func missing(other: StoreStatement) throws {
        // Marks of two combining classes in turn. Swift's own hash sorts them all.
        try expectLinear(64 << 10) { count in
            let marks = "a" + String(repeating: "\u{301}\u{323}", count: count)
            try Shop.run(.of(items: Self.items)) { shop in
                var gold = StoreTransaction(id: Self.composed, productID: "gold")
                shop.store.recordSilently(.verified(gold))
                try shop.launch()
                #expect(shop.state("gold")?.isUnlocked == true)
                gold.isRevoked = true
                shop.store.recordSilently(.verified(gold))
                let long = StoreStatement.unverified(StoreTransaction(id: marks, productID: "gold"), reason: "forged")
                shop.store.listed = [other, long]
                shop.refresh()
                #expect(shop.state("gold") == .locked)
            }
        }
    }

    @Test("each of two purchases whose names are equal to Swift is delivered with its own signed text, each time")
    func signedTexts() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            // The store's double tells transactions apart as Swift does, so it lists them as they are.
            shop.store.listed = [(Self.composed, "gold"), (Self.decomposed, "silver")].map { id, product in
                .verified(StoreTransaction(id: id, productID: ProductID(product), signedText: product))
            }
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            Task { try? await unlocks.deliverAgain("gold-pack") }
            JobQueue.drain()
            #expect(shop.deliveries.map(\.transaction?.signedText) == ["gold", "silver", "gold"])
            try shop.launch()
            try shop.unlocks?.reset()
            #expect(shop.deliveries.dropFirst(3).map(\.transaction?.signedText) == ["gold", "silver"])
        }
    }

    @Test("a subscription isn't listed if only one with a name that is equal to Swift is")
    func subscriptions() {
        let end = Date(timeIntervalSince1970: 1_795_000_000)
        let answer = StoreAnswer(environment: .production, date: end, isFromStore: true, subscriptions: ["caf\u{E9}"])
        let other = StoreTransaction(id: Self.decomposed, productID: "pro", expirationDate: end)
        #expect(other.validity(after: answer, at: end) == .ended)
    }

    @Test("an app's own purchase that isn't verified doesn't have the kept answer of one that is equal to Swift")
    func kept() {
        let rule = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "2"])
        func judge(_ id: String, isVerified: Bool, _ kept: inout PaidBefore.Kept?) -> PaidBefore.Reason {
            let purchase = AppPurchase.onIPhone("1", id: id, isVerified: isVerified)
            return rule.answer(for: purchase, on: .iOS, kept: &kept).reason
        }
        var kept: PaidBefore.Kept?
        #expect(judge(Self.composed, isVerified: true, &kept) == .versionBefore)
        #expect(judge(Self.composed, isVerified: false, &kept) == .keptAnswer)
        #expect(judge(Self.decomposed, isVerified: false, &kept) == .notVerified)
    }
}
