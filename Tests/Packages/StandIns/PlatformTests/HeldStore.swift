import Unlocks
import UnlocksTesting

/// A store whose answers come when a test says so.
@MainActor
final class HeldStore: PurchaseStore {
    private let store: ScriptedStore
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// How many questions wait for an answer.
    var waitingCount: Int { waiting.count }
    /// Whether new questions wait for an answer.
    var isHeld = false {
        didSet {
            guard !isHeld else { return }
            waiting.forEach { $0.resume() }
            waiting = []
        }
    }

    init(_ store: ScriptedStore) { self.store = store }

    private func hold() async {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
    }

    var environment: StoreEnvironment? { store.environment }
    var canMakePayments: Bool { store.canMakePayments }

    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        await hold()
        return try await store.products(identifiers)
    }

    func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult {
        await hold()
        return try await store.purchase(product)
    }

    func unfinishedTransactions() async -> [StoreStatement] {
        await hold()
        return await store.unfinishedTransactions()
    }

    func currentEntitlements() async -> [StoreStatement] {
        await hold()
        return await store.currentEntitlements()
    }

    func updates() -> AsyncStream<StoreStatement> { store.updates() }
    func allTransactions() async -> [StoreStatement] { await store.allTransactions() }
    func finish(_ transaction: StoreTransaction) async { await store.finish(transaction) }
    func appPurchase(isRefresh: Bool) async throws -> AppPurchase? {
        try await store.appPurchase(isRefresh: isRefresh)
    }
    func sync() async throws {
        await hold()
        try await store.sync()
    }
}
