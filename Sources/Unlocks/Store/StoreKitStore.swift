#if canImport(StoreKit)
import Foundation
public import StoreKit

/// The App Store, through StoreKit 2.
///
/// Create one when the app launches, and keep it. Only ``sync()`` and ``appPurchase(isRefresh:)`` may ask the user to
/// sign in.
@MainActor
public final class StoreKitStore: PurchaseStore {
    /// The options with which a product is bought, such as an account token.
    public typealias Options = @MainActor (Product) async throws -> Set<Product.PurchaseOption>

    private let options: Options
    /// The environment in the latest statement that StoreKit has signed, in this launch.
    private var signedEnvironment: StoreEnvironment?
    private var products: [ProductID: Product] = [:]
    /// The unfinished transactions that were seen in this launch, by identifier.
    private var unfinished: [String: Transaction] = [:]

    /// Creates a store.
    ///
    /// - Parameter options: Returns the options of a purchase.
    public init(options: @escaping Options = { _ in [] }) { self.options = options }

    /// The environment in the latest statement that StoreKit has signed, in this launch.
    ///
    /// Before the first statement, the name of the app's receipt identifies the sandbox, which TestFlight uses too. If
    /// the receipt has another name, the environment is `nil`.
    public var environment: StoreEnvironment? {
        let isSandbox = Bundle.main.appStoreReceiptURL?.lastPathComponent == "sandboxReceipt"
        return signedEnvironment ?? (isSandbox ? .sandbox : nil)
    }

    /// `AppStore.canMakePayments`.
    public var canMakePayments: Bool { StoreKit.AppStore.canMakePayments }

    /// Asks for products. StoreKit formats their prices.
    ///
    /// - Throws: ``StoreError/unreachable`` if the device is offline, or an error of StoreKit.
    public func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        guard !identifiers.isEmpty else { return [] }
        let found = try await reaching { try await Product.products(for: identifiers.map(\.rawValue)) }
        for product in found { products[ProductID(product.id)] = product }
        var read: [StoreProduct] = []
        for product in found { read.append(await StoreProduct(product)) }
        return read
    }

    /// Asks the user to buy a product. A product that hasn't been loaded is loaded first.
    ///
    /// Under a full-screen cover, iOS 18.2 and later may find no scene for a question that names none
    /// (<https://github.com/RevenueCat/purchases-ios/issues/4611>), so each view passes its own place.
    ///
    /// - Throws: ``StoreError/noSuchProduct(_:)`` if the store doesn't know the product, ``StoreError/unreachable`` if
    ///   the device is offline, ``StoreError/unknownAnswer`` for a result that only a newer StoreKit has, or one of
    ///   StoreKit's errors: `Product.PurchaseError` and `StoreKitError`.
    public func purchase(_ product: ProductID, in place: PurchasePlace? = nil) async throws -> StorePurchaseResult {
        if products[product] == nil { _ = try await products([product]) }
        guard let known = products[product] else { throw StoreError.noSuchProduct(product) }
        let options = try await options(known)
        let result: Product.PurchaseResult
        do {
            result = try await reaching { try await Self.buy(known, options, in: place) }
        } catch StoreKitError.userCancelled {
            return .cancelled
        }
        switch result {
        case .success(let transaction):
            remember(transaction)
            return .purchased(statement(transaction))
        case .pending: return .pending
        case .userCancelled: return .cancelled
        // Not `@unknown`: StoreKit's enumeration isn't frozen, so it may gain cases.
        default: throw StoreError.unknownAnswer
        }
    }

    /// The transactions of `Transaction.updates`. An unverified transaction is passed on as such, and doesn't end the
    /// stream.
    ///
    /// A refund while the app isn't running is reported to be missing, and the report in Apple's forum has no answer:
    /// <https://developer.apple.com/forums/thread/751340>. At each launch, compare ``currentEntitlements()``, and look
    /// up missing purchases in ``allTransactions()``.
    public func updates() -> AsyncStream<StoreStatement> {
        stream { [weak self] continuation in
            for await transaction in Transaction.updates {
                guard let self else { return }
                remember(transaction)
                continuation.yield(statement(transaction))
            }
        }
    }

    /// The transactions in `Transaction.unfinished`.
    public func unfinishedTransactions() async -> [StoreStatement] {
        await statements(Transaction.unfinished, areUnfinished: true)
    }

    /// The transactions in `Transaction.currentEntitlements`.
    ///
    /// StoreKit uses the store's clock for subscriptions, and includes those in their grace period. The list is
    /// reported to be empty offline, and for some users who have purchases (feedback FB22556883). A transaction that is
    /// missing from the list may still be valid.
    public func currentEntitlements() async -> [StoreStatement] { await statements(Transaction.currentEntitlements) }

    /// The elements of `Transaction.all`.
    public func allTransactions() async -> [StoreStatement] { await statements(Transaction.all) }

    /// Finishes a transaction that was seen in this launch.
    public func finish(_ transaction: StoreTransaction) async {
        var transaction = transaction
        transaction.signedText = nil
        guard let known = unfinished[transaction.id], StoreTransaction(known) == transaction else { return }
        unfinished[transaction.id] = nil
        await known.finish()
    }

    /// The result of `AppTransaction.shared` or `AppTransaction.refresh()`; `nil` before iOS 16.
    ///
    /// `shared` may ask the user to sign in to the App Store if the system has no copy. `refresh()` always asks.
    ///
    /// - Throws: ``StoreError/unreachable`` if the device is offline, or an error of StoreKit, such as
    ///   `StoreKitError.userCancelled` if the user doesn't sign in.
    public func appPurchase(isRefresh: Bool) async throws -> AppPurchase? {
        guard #available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *) else { return nil }
        let result = try await reaching { try await isRefresh ? AppTransaction.refresh() : AppTransaction.sharedOnce() }
        switch result {
        case .verified(let transaction):
            let purchase = AppPurchase(transaction, isVerified: true)
            signedEnvironment = purchase.environment
            return purchase
        case .unverified(let transaction, _): return AppPurchase(transaction, isVerified: false)
        }
    }

    /// Asks the App Store for all transactions. The user has to sign in, so call it only when they ask for it.
    ///
    /// - Throws: ``StoreError/unreachable`` if the device is offline, or an error of StoreKit, such as
    ///   `StoreKitError.userCancelled` if the user doesn't sign in.
    public func sync() async throws { try await reaching { try await StoreKit.AppStore.sync() } }

    /// The products of `PurchaseIntent.intents`. The stream is empty before iOS 16.4 and macOS 14.4, and on visionOS.
    public func purchaseIntents() -> AsyncStream<ProductID> {
        stream { [weak self] continuation in
            #if !os(visionOS)
            guard #available(iOS 16.4, macCatalyst 16.4, macOS 14.4, *) else { return }
            for await intent in PurchaseIntent.intents {
                guard let self else { return }
                let product = ProductID(intent.product.id)
                products[product] = intent.product
                continuation.yield(product)
            }
            #endif
        }
    }

    /// One element per element of `Storefront.updates`.
    public func storefrontChanges() -> AsyncStream<Void> {
        stream { [weak self] continuation in
            for await _ in Storefront.updates {
                guard let self else { return }
                // The loaded products have the prices of the former storefront.
                products = [:]
                continuation.yield()
            }
        }
    }
}

private extension StoreKitStore {
    func statements(_ list: Transaction.Transactions, areUnfinished: Bool = false) async -> [StoreStatement] {
        var statements: [StoreStatement] = []
        for await transaction in list {
            if areUnfinished { remember(transaction) }
            statements.append(statement(transaction))
        }
        return statements
    }

    func remember(_ result: VerificationResult<Transaction>) { unfinished[String(result.signed.id)] = result.signed }

    func statement(_ result: VerificationResult<Transaction>) -> StoreStatement {
        var transaction = StoreTransaction(result.signed)
        transaction.signedText = result.jwsRepresentation
        switch result {
        case .verified:
            signedEnvironment = transaction.environment ?? signedEnvironment
            return .verified(transaction)
        case .unverified(_, let error): return .unverified(transaction, reason: String(describing: error))
        }
    }

    /// A stream whose writer is canceled when its reader stops.
    func stream<Element: Sendable>(
        _ write: @escaping @MainActor (AsyncStream<Element>.Continuation) async -> Void
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let writing = Task {
            await write(continuation)
            continuation.finish()
        }
        continuation.onTermination = { _ in writing.cancel() }
        return stream
    }

    /// Asks StoreKit, and throws ``StoreError/unreachable`` if the device is offline.
    func reaching<Answer: Sendable>(_ ask: @MainActor () async throws -> Answer) async throws -> Answer {
        do {
            return try await ask()
        } catch StoreKitError.networkError {
            throw StoreError.unreachable
        } catch StoreKitError.systemError(_ as URLError) {
            throw StoreError.unreachable
        }
    }
}
#endif
