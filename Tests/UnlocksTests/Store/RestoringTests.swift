import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// The app's own purchase, and what a restoration finds.
@MainActor
struct RestoringTests {
    // MARK: The app's own purchase

    @Test("after a reinstallation all passes count, although the store lists only the latest one")
    func passes() throws {
        try Shop.run(.of(items: Self.pass)) { shop in
            shop.store.listsLatestOnly = { $0.productID == "pass" ? "pass" : nil }
            Self.sellTwoPasses(shop, at: shop.now.date)
            try shop.launch()
            #expect(shop.state("lounge") == .unlocked(by: [.purchase(transaction: "1"), .purchase(transaction: "2")]))
            shop.wait(20 * 86_400 - 1)
            #expect(shop.state("lounge")?.isUnlocked == true)
            shop.wait(2)
            #expect(shop.state("lounge") == .locked)
        }
    }

    private static let pass = #"{"id":"pass","product":"pass","kind":"nonRenewing","days":10,"grants":["lounge"]}"#

    private static func sellTwoPasses(_ shop: Shop, at date: Date) {
        for id in ["1", "2"] {
            let pass = StoreTransaction(id: id, productID: "pass", productKind: .nonRenewing, purchaseDate: date)
            shop.store.recordSilently(.verified(pass))
        }
    }

    @Test("restoring finds passes that aren't delivered yet, and none that have ended")
    func undeliveredPasses() throws {
        for (days, result) in [(15.0, UnlockCenter.Restoration.found(["lounge"])), (20, .nothingFound)] {
            try Shop.run(.of(items: Self.pass)) { shop in
                try shop.launch()
                shop.deliver = { _ in throw SimulatedStore.Unreachable() }
                Self.sellTwoPasses(shop, at: shop.now.date - days * 86_400)
                #expect(try restore(shop) == result)
            }
        }
    }

    @Test("the app transaction, which may ask for a sign-in, is asked for only until it says yes")
    func appTransaction() throws {
        try Shop.run { shop in
            shop.paidBefore = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "2"])
            try shop.launch()
            shop.refresh()
            #expect(shop.store.askedApp == 2)
            #expect(shop.state("gold") == .unknown(.paidBefore(.notAvailable)))
            shop.store.app = .onIPhone("1")
            shop.refresh()
            #expect(shop.store.askedApp == 3)
            #expect(shop.state("gold") == .unlocked(by: [.paidBefore]))
            shop.refresh()
            try shop.launch()
            #expect(shop.store.askedApp == 3)
            #expect(shop.state("gold") == .unlocked(by: [.paidBefore]))
            #expect(shop.store.appRefreshes == 0)
        }
    }

    @Test("a store that doesn't say what there is hasn't said that there is nothing")
    func silence() throws {
        try Shop.run { shop in
            try shop.launch()
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            shop.store.listed = []
            shop.store.unanswered = [.history]
            let unlocks = try #require(shop.unlocks)
            let restoration = Attempt { try await unlocks.restore() }
            shop.wait(31)
            #expect(throws: StoreError.unreachable) { try restoration.get() }
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(shop.state("gold")?.isUnlocked == true, "a late answer counts")
        }
    }

    @Test("without a rule, nobody asks for the app transaction, not even to restore")
    func noRule() throws {
        try Shop.run { shop in
            try shop.launch()
            #expect(try restore(shop) == .nothingFound)
            #expect(shop.store.askedApp == 0)
        }
    }

    @Test("a yes is no answer of the store, and is told before the products arrive")
    func yesIsNoAnswer() throws {
        try Shop.run { shop in
            shop.paidBefore = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "2"])
            (shop.store.app, shop.store.answersProducts) = (.onIPhone("1"), false)
            shop.store.unanswered = [.entitlements]
            let unlocks = shop.makeUnlocks()
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "gold" { seen.append(change.state) }
            }
            JobQueue.drain()
            unlocks.start()
            JobQueue.drain()
            #expect(seen.last == .unlocked(by: [.paidBefore]))
            task.cancel()
            shop.end()
            (shop.store.answersProducts, shop.store.isReachable) = (true, false)
            shop.store.unanswered = []
            try shop.launch()
            #expect(shop.state("gold") == .unlocked(by: [.paidBefore]))
            #expect(shop.state("pro") == .unknown(.storeNotAsked))
        }
    }

    // MARK: Restoring

    private func restore(_ shop: Shop) throws -> UnlockCenter.Restoration {
        let unlocks = try #require(shop.unlocks)
        return try Attempt { try await unlocks.restore() }.get()
    }

    @Test("restoring says what it found, that everything was here, or that there is nothing")
    func restoring() throws {
        try Shop.run { shop in
            try shop.launch()
            #expect(try restore(shop) == .nothingFound)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            #expect(try restore(shop) == .found(["gold"]))
            #expect(try restore(shop) == .nothingNew)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold", isRevoked: true)))
            #expect(try restore(shop) == .nothingFound)
            shop.store.recordSilently(.verified(StoreTransaction(id: "2", productID: "lead")))
            #expect(try restore(shop) == .nothingNew, "something was bought that this catalog doesn't know")
        }
    }

    @Test("restoring asks for a new copy of the app transaction, which may revoke a yes that was kept")
    func restoringTheApp() throws {
        try Shop.run { shop in
            shop.paidBefore = PaidBefore(grants: ["extra"], firstFreeVersions: [.iOS: "2"])
            try shop.launch()
            shop.store.app = .onIPhone("1")
            #expect(try restore(shop) == .found(["extra"]))
            #expect(shop.store.appRefreshes == 1)
            #expect(try restore(shop) == .nothingNew)
            #expect(shop.store.appRefreshes == 2)
            shop.store.app = .onIPhone("1", isRevoked: true)
            #expect(try restore(shop) == .nothingFound)
            #expect(shop.state("extra") == .locked)
        }
    }

    @Test("what the store lists and nobody can verify isn't nothing")
    func unverified() throws {
        try Shop.run { shop in
            try shop.launch()
            shop.store.listed = [.unverified(StoreTransaction(id: "1", productID: "gold"), reason: "forged")]
            #expect(throws: UnlocksError.notVerified("forged")) { try restore(shop) }
            shop.store.listed?.append(.verified(StoreTransaction(id: "2", productID: "gold")))
            #expect(try restore(shop) == .found(["gold"]))
            #expect(throws: UnlocksError.notVerified("forged"), "not everything is here") { try restore(shop) }
        }
    }

    @Test("restoring throws the store's error, and uses what the store lists all the same")
    func restoringFails() throws {
        try Shop.run { shop in
            try shop.launch()
            shop.store.listed = [.verified(StoreTransaction(id: "1", productID: "gold"))]
            shop.store.isReachable = false
            #expect(throws: SimulatedStore.Unreachable.self) { try restore(shop) }
            #expect(shop.state("gold")?.isUnlocked == true)
        }
    }
}
