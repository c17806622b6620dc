import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What has gone wrong in other libraries, each named after what a person would notice.
@MainActor
struct OtherLibrariesTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#

    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items)) { shop in
            shop.store.isPack = { $0 == "hints" }
            try test(shop)
        }
    }

    private func gold(signed: Double? = nil, isRevoked: Bool = false) -> StoreStatement {
        let date = signed.map { Date(timeIntervalSince1970: $0) }
        return .verified(StoreTransaction(id: "1", productID: "gold", signedDate: date, isRevoked: isRevoked))
    }

    private let hints = StoreStatement.verified(StoreTransaction(id: "2", productID: "hints"))

    @Test("paid, the app crashed while it saved, and the store believes that it was delivered")
    func finishedBeforeSaved() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.storage.next = { .fails }
            shop.tell(gold())
            #expect(shop.store.finished.isEmpty)
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == false)
            shop.storage.next = { .succeeds }
            shop.wait(2)
            #expect(shop.store.finished == ["1"])
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
        }
    }

    @Test("a restore finishes a purchase before the app has delivered it")
    func finishedByRestore() throws {
        try Self.shop { shop in
            struct Offline: Error {}
            shop.deliver = { _ in throw Offline() }
            try shop.launch()
            shop.store.record(gold())
            let unlocks = try #require(shop.unlocks)
            _ = Task { try await unlocks.restore() }
            JobQueue.drain()
            #expect(shop.store.syncs == 1)
            #expect(shop.store.finished.isEmpty)
            shop.deliver = { _ in }
            shop.wait(2)
            #expect(shop.store.finished == ["1"])
        }
    }

    @Test("each restore fills up the hints again")
    func dosesByRestore() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.store.record(hints)
            let unlocks = try #require(shop.unlocks)
            for _ in 0..<3 {
                shop.store.announce(hints)
                _ = Task { try await unlocks.restore() }
                JobQueue.drain()
            }
            #expect(unlocks.balance(of: "hint") == 10)
            #expect(try unlocks.spend(10, of: "hint"))
            shop.store.announce(hints)
            _ = Task { try await unlocks.restore() }
            JobQueue.drain()
            #expect(unlocks.balance(of: "hint") == 0)
        }
    }

    @Test("after one transaction with a bad signature the app is deaf to all others")
    func deafAfterOneBad() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.store.announce(.unverified(StoreTransaction(id: "9", productID: "gold"), reason: "a test"))
            shop.tell(gold())
            #expect(shop.unlocks?.state(of: "gold") == .unlocked(by: [.purchase(transaction: "1")]))
            #expect(shop.store.finished == ["1"])
            #expect(shop.problems.contains { if case .notVerified = $0 { true } else { false } })
        }
    }

    @Test("a refund is dropped, since its transaction is known already")
    func refundIsKnown() throws {
        try Self.shop { shop in
            try shop.launch()
            for statement in [gold(signed: 1), gold(signed: 2, isRevoked: true)] {
                shop.tell(statement)
            }
            #expect(shop.unlocks?.state(of: "gold") == .locked)
        }
    }

    @Test("a refund while the app was closed never arrives")
    func refundWhileClosed() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.tell(gold(signed: 1))
            shop.end()
            shop.store.recordSilently(gold(signed: 2, isRevoked: true))
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold") == .locked)
            #expect(shop.storage.folders.isEmpty)
        }
    }

    @Test("offline, the app makes up which version was bought, and locks somebody out")
    func inventedVersion() throws {
        try Self.shop { shop in
            shop.paidBefore = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "230"])
            shop.store.isReachable = false
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold") == .unknown(.paidBefore(.notAvailable)))
        }
    }

    @Test("on a new device everything is locked until the store has answered")
    func lockedTooEarly() throws {
        try Self.shop { shop in
            // The store's first answer takes as long as it likes.
            shop.store.unanswered = [.unfinished, .entitlements]
            try shop.launch()
            #expect(shop.unlocks?.state(of: "gold") == .unknown(.storeNotAsked))
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(shop.unlocks?.state(of: "gold") == .locked)
        }
    }

    @Test("a pack that was bought with an older catalog changes with the new one")
    func changedPack() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.tell(hints)
            shop.catalog = try .of(
                items: #"{"id":"hints","product":"hints","kind":"consumable","amount":3,"grants":["hint"]}"#
            )
            try shop.launch()
            #expect(shop.unlocks?.balance(of: "hint") == 10)
        }
    }

    @Test(
        "a version is compared as text, as a decimal number or by a guess",
        arguments: [
            ("2", "13", true), ("13", "2", false), ("2.0", "2.0.0", false), ("", "2", nil), ("1.28", "2", true),
            ("1.28", "1.9", false), ("v2", "3", nil), ("2 ", "3", nil), ("٢", "3", nil),
        ] as [(String, String, Bool?)]
    )
    func versions(original: String, first: String, isBefore: Bool?) {
        var kept: PaidBefore.Kept?
        let purchase = AppPurchase(
            id: "1",
            isVerified: true,
            isRevoked: false,
            originalPlatform: .iOS,
            originalVersion: original,
            originalPurchase: Date(timeIntervalSince1970: 0)
        )
        let answer = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: first]).answer(
            for: purchase,
            on: .iOS,
            kept: &kept
        )
        #expect(answer.isYes == isBefore)
    }
}
