import Foundation
import ReferralBridge
import Testing
import Unlocks

@testable import UnlocksTesting

/// The store that plays a script does what StoreKit does, or is said to do.
@MainActor
struct ScriptedStoreTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day = 86_400.0

    private let store = ScriptedStore(
        products: [
            .init(id: "gold", price: "2,99 €"),
            .init(id: "hints", price: "0,99 €", kind: .consumable),
            .init(id: "club", price: "1,99 €", kind: .subscription(seconds: 30 * day)),
        ],
        app: "com.example.trestle",
        clock: DeviceClock(now: { [start] in Timestamp(start) })
    )

    // MARK: Products and purchases

    @Test("the store names the prices of the products it knows, and of no others")
    func products() async throws {
        let products = try await store.products(["gold", "silver"])
        #expect(products == [StoreProduct(id: "gold", price: "2,99 €")])
        #expect(store.askedProducts == [["gold", "silver"]])
    }

    @Test("purchases are answered as the script says, in order, and then bought")
    func answers() async throws {
        struct Declined: Error {}
        store.nextPurchases = [.cancelled, .pending, .failed(Declined()), .unverified(reason: "forged")]
        #expect(try await store.purchase("hints") == .cancelled)
        #expect(try await store.purchase("hints") == .pending)
        await #expect(throws: Declined.self) { try await store.purchase("hints") }
        let expected = transaction("1", "hints")
        #expect(try await store.purchase("hints") == .purchased(.unverified(expected, reason: "forged")))
        #expect(try await store.purchase("hints") == .purchased(.verified(transaction("2", "hints"))))
        #expect(store.askedPurchases.count == 5)
    }

    // MARK: Approvals

    @Test("an approved purchase comes as an update")
    func approval() async throws {
        store.nextPurchases = [.pending]
        _ = try await store.purchase("gold")
        #expect(store.pending == ["gold"])
        let updates = store.updates()
        #expect(store.approve("gold") == "1")
        #expect(store.pending.isEmpty)
        #expect(await heard(updates) == [.verified(transaction("1", "gold"))])
    }

    @Test("of a declined purchase the app hears nothing, and it can't be approved any more")
    func decline() async throws {
        store.nextPurchases = [.pending]
        _ = try await store.purchase("gold")
        let updates = store.updates()
        #expect(store.decline("gold"))
        #expect(store.approve("gold") == nil)
        #expect(!store.decline("gold"))
        #expect(await heard(updates).isEmpty)
    }

    // MARK: Refunds and family sharing

    @Test("a refund has the purchase's identifier and is newer")
    func refund() async throws {
        store.buyElsewhere("gold")
        await store.finish("1")
        let updates = store.updates()
        store.refund("1")
        #expect(await store.currentEntitlements().isEmpty)
        #expect(await store.unfinishedTransactions().map(\.id) == ["1"])
        await store.finish("1")
        let all = await heard(updates).map(\.transaction)
        #expect(all.map(\.isRevoked) == [true])
        #expect(try Self.start < #require(all.first?.signedDate), "the clock stands still")
        #expect(store.finished == ["1", "1"])
    }

    @Test("the end of family sharing is a revocation, and what the person bought themselves stays")
    func familySharing() async {
        let shared = store.beginFamilySharing("gold")
        store.buyElsewhere("gold")
        store.refund(shared)
        #expect(await store.currentEntitlements().map(\.id) == ["2"])
        #expect(await store.allTransactions().map(\.transaction.isFamilyShared) == [true, false])
        store.refund("2")
        #expect(await store.currentEntitlements().isEmpty)
    }

    // MARK: Consumables and subscriptions

    @Test("a finished consumable vanishes from everything")
    func consumable() async throws {
        _ = try await store.purchase("hints")
        #expect(await store.currentEntitlements().isEmpty)
        let bought = try #require(await store.latest("hints")).transaction
        #expect(bought.id == "1")
        await store.finish(bought)
        await store.finish(bought)
        #expect(await store.latest("hints") == nil)
        #expect(await store.unfinishedTransactions().isEmpty)
        #expect(store.finished == ["1"])
        let updates = store.updates()
        store.refund("1")
        #expect(await heard(updates).map(\.transaction.isRevoked) == [true], "its refund comes all the same")
        await store.finish("1")
        #expect(await store.latest("hints")?.id == "1")
    }

    // MARK: Offline

    @Test("offline the store can't be asked, and lists nothing, as StoreKit is reported to do")
    func offline() async throws {
        store.boughtApp = AppPurchase(
            id: "app",
            isVerified: true,
            isRevoked: false,
            originalPlatform: .iOS,
            originalVersion: "1",
            originalPurchase: Self.start
        )
        store.buyElsewhere("gold")
        store.isReachable = false
        await #expect(throws: StoreError.unreachable) { try await store.products(["gold"]) }
        await #expect(throws: StoreError.unreachable) { try await store.purchase("gold") }
        await #expect(throws: StoreError.unreachable) { try await store.appPurchase(isRefresh: false) }
        await #expect(throws: StoreError.unreachable) { try await store.sync() }
        #expect(await store.currentEntitlements().isEmpty)
        await store.finish("1")
        #expect(store.finished == ["1"])
        store.isReachable = true
        #expect(try await store.appPurchase(isRefresh: false)?.id == "app")
        try await store.sync()
        #expect(store.syncs == 2)
    }
}

private extension ScriptedStoreTests {
    func transaction(_ id: String, _ productID: ProductID) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: id,
            originalID: id,
            productID: productID,
            productKind: productID == "hints" ? .consumable : .nonConsumable,
            app: "com.example.trestle",
            environment: .production,
            purchaseDate: Self.start,
            signedDate: Self.start
        )
        transaction.signedText = "scripted.\(id).text"
        return transaction
    }

    /// What came to a listener up to now. All streams end.
    func heard(_ updates: AsyncStream<StoreStatement>) async -> [StoreStatement] {
        store.listeners.forEach { $0.finish() }
        var statements: [StoreStatement] = []
        for await statement in updates { statements.append(statement) }
        return statements
    }
}

private extension ScriptedStore {
    /// Finishes a transaction as it is now.
    func finish(_ id: String) async {
        for statement in await unfinishedTransactions() where statement.transaction.id == id {
            await finish(statement.transaction)
        }
    }

    func latest(_ product: ProductID) async -> StoreStatement? {
        await allTransactions().last { $0.transaction.productID == product }
    }
}
