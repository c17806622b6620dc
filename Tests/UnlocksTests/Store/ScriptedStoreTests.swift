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

    @Test("a product that isn't for sale can't be bought, and takes no answer")
    func noSuchProduct() async throws {
        store.nextPurchases = [.cancelled]
        await #expect(throws: StoreError.noSuchProduct("silver")) { try await store.purchase("silver") }
        #expect(store.nextPurchases.count == 1)
    }

    @Test("what somebody has isn't bought again, but a consumable is")
    func ownedAlready() async throws {
        for product: ProductID in ["gold", "gold", "club", "club", "hints", "hints"] {
            _ = try await store.purchase(product)
        }
        #expect(await unfinished() == ["1", "2", "3", "4"])
        store.refund("1")
        #expect(try await store.purchase("gold") == .purchased(.verified(transaction("5", "gold"))))
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

    @Test("each listener hears each update, until its task is cancelled")
    func listeners() async {
        let (first, second) = (store.updates(), store.updates())
        let task = Task { for await _ in first {} }
        store.buyElsewhere("gold", quantity: 1)
        task.cancel()
        await task.value
        store.buyElsewhere("hints", quantity: 3)
        let all = await heard(second)
        #expect(all.map(\.id) == ["1", "2"])
        #expect(all.map(\.transaction.quantity) == [1, 3])
    }

    @Test("what happens while nobody listens stays unfinished, and comes first when somebody does")
    func launch() async {
        let updates = store.updates()
        let task = Task { for await _ in updates {} }
        task.cancel()
        await task.value
        store.buyElsewhere("gold")
        store.buyElsewhere("hints")
        await store.finish("1")
        #expect(await unfinished() == ["2"])
        let (first, second) = (store.updates(), store.updates())
        #expect(await ids(first) == ["2"])
        #expect(await ids(second).isEmpty, "only the first listener is a launch")
    }

    @Test("a purchase in the app isn't an update, but is unfinished at the next launch")
    func ownPurchase() async throws {
        let updates = store.updates()
        _ = try await store.purchase("gold")
        #expect(await ids(updates).isEmpty)
        #expect(await ids(store.updates()) == ["1"])
    }

    @Test("with doubles, each statement comes twice")
    func doubles() async throws {
        store.sendsDoubles = true
        let updates = store.updates()
        _ = try await store.purchase("gold")
        store.buyElsewhere("hints")
        #expect(await ids(updates) == ["1", "1", "2", "2"])
    }

    @Test("a transaction that isn't verified comes in its turn from every feed")
    func unverified() async {
        store.unverified[store.nextTransaction] = "forged"
        let updates = store.updates()
        store.buyElsewhere("gold")
        store.buyElsewhere("club")
        let statement = StoreStatement.unverified(transaction("1", "gold"), reason: "forged")
        #expect(await heard(updates).first == statement)
        #expect(await store.unfinishedTransactions().first == statement)
        #expect(await store.currentEntitlements().first == statement)
        #expect(await store.latest("gold") == statement)
        store.unverified = [:]
        #expect(await store.latest("gold") == .verified(transaction("1", "gold")))
    }

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

    @Test("a missed refund is no update, but the last transaction tells it")
    func missedRefund() async throws {
        store.buyElsewhere("gold")
        await store.finish("1")
        store.missesUpdates = true
        store.refund("1")
        store.buyElsewhere("club")
        #expect(await ids(store.updates()) == ["2"])
        #expect(await unfinished() == ["2"])
        #expect(await store.currentEntitlements().map(\.id) == ["2"])
        let latest = try #require(await store.latest("gold"))
        #expect(latest.transaction.isRevoked)
    }

    @Test("a refund that somebody listens for isn't missed")
    func heardRefund() async {
        store.missesUpdates = true
        store.buyElsewhere("gold")
        let updates = store.updates()
        store.refund("1")
        #expect(await heard(updates).map(\.transaction.isRevoked) == [false, true])
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
        store.endFamilySharing(shared)
        #expect(await store.currentEntitlements().map(\.id) == ["2"])
        #expect(await store.allTransactions().map(\.transaction.isFamilyShared) == [true, false])
        store.endFamilySharing("2")
        #expect(await store.currentEntitlements().isEmpty)
    }

    @Test("a transaction that the store doesn't know changes nothing")
    func unknownTransaction() async {
        let updates = store.updates()
        store.refund("7")
        store.reverseRefund("7")
        store.setExpiration(of: "7", to: nil)
        await store.finish(StoreTransaction(id: "7", productID: "gold"))
        #expect(await heard(updates).isEmpty)
        #expect(store.finished.isEmpty)
    }

    // MARK: Consumables and subscriptions

    @Test("what has changed since isn't finished")
    func changed() async throws {
        store.buyElsewhere("gold")
        let bought = try #require(await store.latest("gold")).transaction
        store.refund("1")
        await store.finish(bought)
        #expect(await unfinished() == ["1"])
        #expect(store.finished.isEmpty)
        await store.finish("1")
        #expect(store.finished == ["1"])
    }

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

    @Test("a subscription ends at exactly its expiration, unless it is renewed or in grace", arguments: [0.0, 5])
    func subscription(grace days: Double) async throws {
        let clock = SimulatedClock()
        clock.jump(to: Timestamp(Self.start))
        store.clock = clock.clock(of: ObjectIdentifier(store))
        store.buyElsewhere("club")
        let end = Self.start + 30 * Self.day
        store.setExpiration(of: "1", to: end + days * Self.day)
        clock.jump(to: Timestamp(end + days * Self.day - 1))
        #expect(await store.currentEntitlements().map(\.id) == ["1"])
        clock.jump(to: clock.now.advanced(by: 1))
        #expect(await store.currentEntitlements().isEmpty)
        #expect(await store.latest("club")?.id == "1")
        #expect(store.renew("club") == "2")
        let renewed = try #require(await store.currentEntitlements().first).transaction
        #expect(renewed.purchaseDate == clock.now.date)
        #expect(renewed.expirationDate == clock.now.date + 30 * Self.day)
        store.renew("club")
        let next = try #require(await store.currentEntitlements().first).transaction
        #expect(next.id == "3", "of two periods that are open, the later")
        #expect(next.purchaseDate == renewed.expirationDate)
    }

    @Test("a subscription in its grace period is listed after its expiration")
    func gracePeriod() async {
        let clock = SimulatedClock()
        clock.jump(to: Timestamp(Self.start))
        store.clock = clock.clock(of: ObjectIdentifier(store))
        store.buyElsewhere("club")
        store.inGracePeriod = ["1"]
        clock.jump(to: clock.now.advanced(by: 31 * Self.day))
        #expect(await store.currentEntitlements().map(\.id) == ["1"])
        store.inGracePeriod = []
        #expect(await store.currentEntitlements().isEmpty)
    }

    @Test("a subscription has a period, in days if the script doesn't say, and seven days are a week")
    func periods() async throws {
        #expect(try await store.products(["club"]).first?.period == SubscriptionPeriod(.day, count: 30))
        #expect(try await store.products(["gold"]).first?.period == nil)
        #expect(SubscriptionPeriod(.day, count: 14) == SubscriptionPeriod(.week, count: 2))
        #expect(SubscriptionPeriod(.month, count: 7) != SubscriptionPeriod(.week, count: 1))
        let short = ScriptedStore.Product(id: "short", price: "1 €", kind: .subscription(seconds: 0))
        #expect(short.period == SubscriptionPeriod(.day, count: 1))
        let year = SubscriptionPeriod(.year)
        store.products = [.init(id: "year", price: "9 €", kind: .subscription(seconds: .infinity), period: year)]
        #expect(try await store.products(["year"]).first?.period == year)
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

    @Test("another storefront has other prices")
    func storefront() async throws {
        let changes = store.storefrontChanges()
        store.changeStorefront([.init(id: "gold", price: "$2.99")])
        store.endUpdates()
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count == 1)
        #expect(try await store.products(["gold"]).map(\.price) == ["$2.99"])
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

    @Test("what happens while the device is offline arrives afterwards, in order")
    func afterwards() async {
        store.buyElsewhere("gold")
        let updates = store.updates()
        store.isReachable = false
        store.refund("1")
        store.buyElsewhere("club")
        store.renew("club")
        store.reverseRefund("1")
        #expect(await store.latest("gold")?.transaction.isRevoked == false)
        #expect(await unfinished() == ["1"])
        store.isReachable = true
        #expect(await ids(updates) == ["1", "1", "2", "3", "1"])
        #expect(await store.currentEntitlements().map(\.id) == ["1", "3"])
    }

    @Test("a transaction that is finished while its refund is underway is unfinished when that arrives")
    func finishedOffline() async {
        store.buyElsewhere("gold")
        store.isReachable = false
        store.refund("1")
        await store.finish("1")
        #expect(await unfinished().isEmpty)
        store.isReachable = true
        #expect(await unfinished() == ["1"])
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
