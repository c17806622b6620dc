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

    // MARK: Updates

    // MARK: Refunds and family sharing

    @Test("a refund has the purchase's identifier and is newer, and so has its reversal")
    func refund() async throws {
        store.buyElsewhere("gold")
        await store.finish("1")
        let updates = store.updates()
        store.refund("1")
        #expect(await store.currentEntitlements().isEmpty)
        #expect(await unfinished() == ["1"])
        await store.finish("1")
        store.reverseRefund("1")
        #expect(await store.currentEntitlements().map(\.id) == ["1"])
        let all = await heard(updates).map(\.transaction)
        #expect(all.map(\.isRevoked) == [true, false])
        let dates = try all.map { try #require($0.signedDate) }
        #expect(Self.start < dates[0], "the clock stands still")
        #expect(dates[0] < dates[1], "the clock stands still")
        #expect(store.finished == ["1", "1"])
    }

    @Test("a script answers with an earlier purchase that isn't finished, or with the plan that goes on")
    func repeated() async throws {
        store.nextPurchases = [.repeated, .repeated]
        for _ in 0..<2 { #expect(try await store.purchase("hints").id == "1") }
        await store.finish("1")
        store.nextPurchases = [.repeated]
        #expect(try await store.purchase("hints").id == "2")
        for index in store.products.indices where store.products[index].id == "club" {
            store.products[index].group = "g"
        }
        let year = ScriptedStore.Product(id: "year", price: "9 €", kind: .subscription(seconds: Self.day), group: "g")
        store.products.append(year)
        #expect(try await store.purchase("club").id == "3")
        store.nextPurchases = [.scheduled]
        #expect(try await store.purchase("year").id == "3")
        #expect(await store.currentEntitlements().map(\.id) == ["3"])
        #expect(try await store.purchase("year").id == "4")
        #expect(await store.currentEntitlements().map(\.id) == ["4"], "the former plan has ended")
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
        #expect(await unfinished().isEmpty)
        #expect(store.finished == ["1"])
        let updates = store.updates()
        store.refund("1")
        #expect(await heard(updates).map(\.transaction.isRevoked) == [true], "its refund comes all the same")
        await store.finish("1")
        #expect(await store.latest("hints")?.id == "1")
        store.reverseRefund("1")
        await store.finish("1")
        #expect(await store.latest("hints") == nil)
    }

    // MARK: Outside of the app

    @Test("the store lists what was bought in the present environment")
    func environment() async {
        store.environment = .sandbox
        store.buyElsewhere("gold")
        #expect(await store.currentEntitlements().map(\.transaction.environment) == [.sandbox])
        store.environment = .production
        #expect(await store.currentEntitlements().isEmpty)
        #expect(await unfinished().isEmpty)
        #expect(await store.latest("gold") == nil)
        #expect(await ids(store.updates()).isEmpty)
    }

    @Test("a product that was chosen outside of the app is heard of, also by an app that starts later")
    func promoted() async {
        store.promote("gold")
        let intents = store.purchaseIntents()
        store.promote("hints")
        store.endUpdates()
        var heard: [ProductID] = []
        for await product in intents { heard.append(product) }
        #expect(heard == ["gold", "hints"])
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
        _ = try await store.appPurchase(isRefresh: true)
        #expect(store.askedApp == 3)
        #expect(store.appRefreshes == 1)
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

    func unfinished() async -> [String] { await store.unfinishedTransactions().map(\.id) }

    /// What came to a listener up to now. All streams end.
    func heard(_ updates: AsyncStream<StoreStatement>) async -> [StoreStatement] {
        store.endUpdates()
        var statements: [StoreStatement] = []
        for await statement in updates { statements.append(statement) }
        return statements
    }

    func ids(_ updates: AsyncStream<StoreStatement>) async -> [String] { await heard(updates).map(\.id) }
}

private extension StorePurchaseResult {
    var id: String? { if case .purchased(let statement) = self { statement.id } else { nil } }
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
