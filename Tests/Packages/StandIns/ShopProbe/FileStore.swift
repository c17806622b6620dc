import Foundation
import Unlocks

/// A store that sold gold and hints, took silver back, and remembers in a file what was finished.
@MainActor
final class FileStore: PurchaseStore {
    let environment: StoreEnvironment? = .production
    let transactions = [
        StoreTransaction(id: "1", productID: "gold", signedText: ProcessInfo.processInfo.environment["PROOF"]),
        StoreTransaction(id: "2", productID: "hints"),
        StoreTransaction(id: "3", productID: "silver", isRevoked: true),
    ]

    private let file: URL
    private(set) var finished: Set<String>

    init(_ file: URL) {
        self.file = file
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        finished = Set(text.split(separator: "\n").map(String.init))
    }

    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        identifiers.map { StoreProduct(id: $0, price: "1 €") }
    }

    func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult { .cancelled }
    func updates() -> AsyncStream<StoreStatement> { AsyncStream { _ in } }

    func unfinishedTransactions() async -> [StoreStatement] {
        transactions.filter { !finished.contains($0.id) }.map(StoreStatement.verified)
    }

    func currentEntitlements() async -> [StoreStatement] { [.verified(transactions[0])] }
    func allTransactions() async -> [StoreStatement] { [] }

    func finish(_ transaction: StoreTransaction) async {
        func isWritten() -> Bool {
            let text = finished.union([transaction.id]).sorted().joined(separator: "\n")
            return (try? Data(text.utf8).write(to: file, options: .atomic)) != nil
        }
        // The store's own disk: a failure of it is none of the app's.
        while !isWritten() { try? await Task.sleep(nanoseconds: 10_000_000) }
        finished.insert(transaction.id)
    }

    func appPurchase(isRefresh: Bool) async throws -> AppPurchase? { nil }
    func sync() async throws {}
}
