import Foundation
import ReferralBridge
import Unlocks

extension Probe {
    /// The members of an item that depend on its kind, which is that of its number modulo 5.
    private static let kinds = [
        #""kind":"nonConsumable""#, #""kind":"consumable","amount":10"#, #""kind":"nonRenewing","days":30"#,
        #""kind":"trial","days":14"#, #""kind":"allowance","amount":3,"refill":"day","warnAt":1"#,
    ]

    /// Prints what the questions of a view cost in a large shop: 4,000 items of five kinds, 10,000 purchases, and 2,000 unfinished
    /// transactions of a product that the catalog doesn't know.
    static func large(_ folder: URL) async throws {
        let items = (0..<4_000).map { number in
            #"""
            {"id":"item-\#(number)","product":"product-\#(number)",\#(kinds[number % 5]),"grants":["unlock-\#(number)"],
            "minVersion":"1.0","text":{"de":{"title":"Ding \#(number)"},"en":{"title":"Thing \#(number)"}}}
            """#
        }
        let thanks = #"{"id":"thanks","for":"inviter","program":"invite","grants":["silver"],"every":3,"limit":9999}"#
        let json = #"{"format":1,"revision":1,"items":[\#(items.joined(separator: ","))],"rewards":[\#(thanks)]}"#
        let store = LargeStore()
        let context = ShopContext(appVersion: "2.0", platform: .iOS, languages: ["de-DE", "en-US"])
        let catalog = try ShopCatalog(json: Data(json.utf8))
        var start = DispatchTime.now().uptimeNanoseconds
        func lap() -> Double {
            let end = DispatchTime.now().uptimeNanoseconds
            defer { start = end }
            return Double(end - start) / 1e6
        }
        let unlocks = UnlockCenter(store: store, catalog: catalog, folder: folder, context: context)
        unlocks.start()
        while store.finished.count < store.sold { await Task.yield() }
        say("\(store.sold) purchases were recorded, delivered and finished in \(lap()) ms")
        say("the unfinished transactions were read \(store.passes) times in all")

        var times: [Double] = []
        for _ in 0..<21 {
            unlocks.context.languages.reverse()
            _ = lap()
            precondition(unlocks.offers.count == 4_000)
            times.append(lap())
        }
        say("offers of 4,000 items: \(times.sorted()[10]) ms")
        // Bought 3,000 times, a pack, a pass that was bought 1,500 times, a trial, an allowance, and others.
        for name: UnlockID in ["unlock-0", "unlock-1", "unlock-2", "unlock-3", "unlock-4", "unlock-3995", "nothing"] {
            _ = lap()
            precondition(unlocks.state(of: name).isUnlocked == (name != "nothing"))
            let first = lap() * 1_000
            for _ in 0..<10_000 { _ = unlocks.state(of: name) }
            say("state of \(name): \(first) µs the first time, \(lap() / 10) µs afterward")
        }

        let entries = (0..<10_000).map { InvitationEntry(id: "arrival-\($0)", program: "invite") }
        for time in ["the first time", "again"] {
            _ = lap()
            try await unlocks.count(entries)
            say("10,000 entries of a guestbook, \(time): \(lap()) ms")
        }
    }
}

/// A store that has sold ten thousand things, three thousand of them the same one and 1,500 the same pass, one each minute, and
/// 2,000 that nobody knows.
@MainActor
private final class LargeStore: PurchaseStore {
    let environment: StoreEnvironment? = .production
    let sold = 10_000
    private(set) var finished: Set<String> = []
    private(set) var passes = 0

    private let start = Date() - 600_000

    private lazy var transactions: [StoreStatement] = {
        let known = (0..<sold).map { number in
            StoreTransaction(
                id: "\(number)",
                productID: ProductID("product-\(product(of: number))"),
                purchaseDate: start + Double(number) * 60
            )
        }
        let unknown = (sold..<sold + 2_000).map { StoreTransaction(id: "\($0)", productID: "unknown") }
        return (known + unknown).map(StoreStatement.verified)
    }()

    private func product(of number: Int) -> Int {
        if number < 3_000 { return 0 }
        if number < 4_500 { return 2 }
        let product = number % 4_000
        // Nobody buys an allowance.
        return product % 5 == 4 ? product - 1 : product
    }

    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        identifiers.map { StoreProduct(id: $0, price: "1 €") }
    }

    func unfinishedTransactions() async -> [StoreStatement] {
        passes += 1
        return transactions.filter { !finished.contains($0.transaction.id) }
    }

    func currentEntitlements() async -> [StoreStatement] { Array(transactions.prefix(sold)) }
    func allTransactions() async -> [StoreStatement] { transactions }
    func finish(_ transaction: StoreTransaction) async { finished.insert(transaction.id) }
    func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult { .cancelled }
    func updates() -> AsyncStream<StoreStatement> { AsyncStream { _ in } }
    func appPurchase(isRefresh: Bool) async throws -> AppPurchase? { nil }
    func sync() async throws {}
}
