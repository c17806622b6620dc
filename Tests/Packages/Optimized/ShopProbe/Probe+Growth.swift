import Foundation
import ReferralBridge
import Unlocks

extension Probe {
    /// Records many purchases, one after the other, and prints what the first and the last of them cost, and a launch.
    static func grow(_ folder: URL, _ count: Int) async throws {
        let store = GrowingStore()
        var times: [Double] = []
        do {
            let unlocks = try shop(folder, store)
            unlocks.start()
            for number in 1...count {
                let start = DispatchTime.now().uptimeNanoseconds
                store.sell("\(number)")
                while !store.finished.contains("\(number)") { await Task.yield() }
                times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
            }
        }
        func median(_ part: ArraySlice<Double>) -> Double { part.sorted()[part.count / 2] }
        let (first, last) = (median(times.prefix(100)), median(times.suffix(100)))
        say(
            "one more: \(first) ms among the first 100, \(last) ms among the last 100 of \(count), \(last / first) times"
        )
        var launches: [Double] = []
        for _ in 0..<22 {
            let start = DispatchTime.now().uptimeNanoseconds
            let unlocks = try shop(folder, store)
            unlocks.start()
            while unlocks.state(of: "hint") == .unknown(.notOpened) { await Task.yield() }
            launches.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
            precondition(unlocks.balance(of: "hint") == .left(10 * count))
        }
        let other = median(launches.dropFirst())
        say("a launch: \(launches[0]) ms when the journal is written anew, otherwise \(other) ms")
    }
}

/// A store that sells hints, one pack after the other.
@MainActor
private final class GrowingStore: PurchaseStore {
    let environment: StoreEnvironment? = .production
    private var unfinished: [String: StoreTransaction] = [:]
    private var listener: AsyncStream<StoreStatement>.Continuation?
    private(set) var finished: Set<String> = []

    func sell(_ id: String) {
        // The store's dates are whole milliseconds.
        let now = Timestamp.now.date
        let transaction = StoreTransaction(id: id, productID: "hints", purchaseDate: now, signedDate: now)
        unfinished[id] = transaction
        listener?.yield(.verified(transaction))
    }

    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] { [] }
    func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult { .cancelled }

    func updates() -> AsyncStream<StoreStatement> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreStatement.self)
        listener = continuation
        return stream
    }

    func unfinishedTransactions() async -> [StoreStatement] { unfinished.values.map(StoreStatement.verified) }
    func currentEntitlements() async -> [StoreStatement] { [] }
    func allTransactions() async -> [StoreStatement] { [] }

    func finish(_ transaction: StoreTransaction) async {
        unfinished[transaction.id] = nil
        finished.insert(transaction.id)
    }

    func appPurchase(isRefresh: Bool) async throws -> AppPurchase? { nil }
    func sync() async throws {}
}
