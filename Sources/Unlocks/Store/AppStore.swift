#if canImport(StoreKit)
import Foundation
public import StoreKit

/// The App Store, through StoreKit 2.
///
/// StoreKit has an `AppStore` too. A file that imports both writes `Unlocks.AppStore` for this one, and
/// `StoreKit.AppStore` for the other.
public typealias AppStore = Unlocks.AppStore

extension Unlocks {
    /// The App Store, through StoreKit 2.
    ///
    /// Make one when the app launches, and keep it. What it asks needs no sign-in, except ``sync()``.
    @MainActor
    public final class AppStore: Store {
        /// Shows the system's sheet for a product, and waits for the answer.
        public typealias Buy = @MainActor (Product) async throws -> Product.PurchaseResult

        private let buy: Buy
        private let now: @MainActor () -> Date
        private var products: [String: Product] = [:]
        /// What isn't finished, by identifier, as far as it was seen in this launch.
        private var unfinished: [String: Transaction] = [:]

        /// Creates a store.
        ///
        /// - Parameters:
        ///   - buy: Shows the system's sheet. Pass it where the purchase has options, such as an account token, or where
        ///     the app has several windows: SwiftUI's `PurchaseAction` knows the one that it comes from. `nil` calls
        ///     `purchase()`, and on visionOS `purchase(confirmIn:)` with a scene that is in front.
        ///   - now: The present moment. Only what has expired by then is asked for a grace period.
        public init(buy: Buy? = nil, now: @escaping @MainActor () -> Date = { Date() }) {
            (self.buy, self.now) = (buy ?? Self.buyInFront, now)
        }

        /// Asks for products. Their prices are as StoreKit writes them.
        ///
        /// - Throws: What StoreKit throws, such as `StoreKitError.networkError`.
        public func products(_ identifiers: Set<String>) async throws -> [StoreProduct] {
            guard !identifiers.isEmpty else { return [] }
            let found = try await Product.products(for: identifiers)
            for product in found { products[product.id] = product }
            return found.map { StoreProduct(id: $0.id, price: $0.displayPrice) }
        }

        /// Asks the person to buy a product. One that wasn't asked for before is looked up first.
        ///
        /// - Throws: ``StoreError/noSuchProduct(_:)`` if the store doesn't know the product,
        ///   ``StoreError/unknownAnswer`` for an answer that came with a newer StoreKit, or what StoreKit throws:
        ///   `Product.PurchaseError` and `StoreKitError`.
        public func purchase(_ product: String) async throws -> StorePurchaseResult {
            if products[product] == nil { _ = try await products([product]) }
            guard let known = products[product] else { throw StoreError.noSuchProduct(product) }
            let result: Product.PurchaseResult
            do {
                result = try await buy(known)
            } catch StoreKitError.userCancelled {
                return .cancelled
            }
            switch result {
            case .success(let transaction):
                remember(transaction)
                return .purchased(await statement(transaction))
            case .pending: return .pending
            case .userCancelled: return .cancelled
            // Not @unknown: StoreKit's enumeration isn't frozen, so there is always more.
            default: throw StoreError.unknownAnswer
            }
        }

        /// What `Transaction.updates` says. One that isn't verified is passed on as such, and the next ones still come.
        ///
        /// A refund while the app isn't running is reported to be missing, and Apple's forum has no answer:
        /// <https://developer.apple.com/forums/thread/751340>. So compare ``currentEntitlements()`` at each launch, and
        /// ask for the ``latestTransaction(of:)`` what isn't there any more.
        public func updates() -> AsyncStream<StoreStatement> {
            let (stream, continuation) = AsyncStream.makeStream(of: StoreStatement.self)
            let listening = Task { [weak self] in
                for await transaction in Transaction.updates {
                    guard let self else { break }
                    remember(transaction)
                    continuation.yield(await statement(transaction))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in listening.cancel() }
            return stream
        }

        /// What `Transaction.unfinished` says.
        public func unfinishedTransactions() async -> [StoreStatement] {
            var statements: [StoreStatement] = []
            for await transaction in Transaction.unfinished {
                remember(transaction)
                statements.append(await statement(transaction))
            }
            return statements
        }

        /// What `Transaction.currentEntitlements` says.
        ///
        /// It is reported to be empty for some people who have something (feedback FB22556883). So that a transaction
        /// isn't in it doesn't mean that it was refunded.
        public func currentEntitlements() async -> [StoreStatement] {
            var statements: [StoreStatement] = []
            for await transaction in Transaction.currentEntitlements {
                statements.append(await statement(transaction))
            }
            return statements
        }

        /// What `Transaction.latest(for:)` says.
        public func latestTransaction(of product: String) async -> StoreStatement? {
            guard let transaction = await Transaction.latest(for: product) else { return nil }
            return await statement(transaction)
        }

        /// Finishes a transaction, also one of an earlier launch.
        public func finish(_ transaction: String) async {
            if let known = unfinished.removeValue(forKey: transaction) { return await known.finish() }
            // Not latest(for:), which knows just one of several that aren't finished.
            for await result in Transaction.unfinished where String(result.signed.id) == transaction {
                return await result.signed.finish()
            }
        }

        /// What `AppTransaction.shared` says; `nil` before iOS 16.
        ///
        /// - Throws: What StoreKit throws, if the device is offline or nobody is signed in.
        public func appPurchase() async throws -> AppPurchase? {
            guard #available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *) else { return nil }
            switch try await AppTransaction.shared {
            case .verified(let transaction): return AppPurchase(transaction, isVerified: true)
            case .unverified(let transaction, _): return AppPurchase(transaction, isVerified: false)
            }
        }

        /// Asks the App Store for all transactions. The person has to sign in, so call it only when they ask for it.
        ///
        /// - Throws: What StoreKit throws, such as `StoreKitError.userCancelled` if the person doesn't sign in.
        public func sync() async throws { try await StoreKit.AppStore.sync() }
    }
}

private extension Unlocks.AppStore {
    func remember(_ result: VerificationResult<Transaction>) { unfinished[String(result.signed.id)] = result.signed }

    func statement(_ result: VerificationResult<Transaction>) async -> StoreStatement {
        let transaction = StoreTransaction(result.signed, expirationDate: await expirationDate(of: result.signed))
        switch result {
        case .verified: return .verified(transaction)
        case .unverified(_, let error): return .unverified(transaction, reason: String(describing: error))
        }
    }

    /// When a subscription ends.
    func expirationDate(of transaction: Transaction) async -> Date? {
        guard let date = transaction.expirationDate else { return nil }
        // Another subscription took its place, and gives what the person has from now on.
        if transaction.isUpgraded { return min(date, transaction.signedDate) }
        // The status may come from the network. Updates wait for it, so it is asked for only where it can matter.
        guard date <= now(), transaction.revocationDate == nil else { return date }
        return await transaction.gracePeriodEnd.map { max(date, $0) } ?? date
    }
}

private extension VerificationResult {
    var signed: SignedType {
        switch self {
        case .verified(let signed), .unverified(let signed, _): signed
        }
    }
}

private extension StoreTransaction {
    init(_ transaction: Transaction, expirationDate: Date?) {
        self.init(
            id: String(transaction.id),
            product: transaction.productID,
            quantity: transaction.purchasedQuantity,
            app: transaction.appBundleID,
            purchaseDate: transaction.purchaseDate,
            signedDate: transaction.signedDate,
            expirationDate: expirationDate,
            isRevoked: transaction.revocationDate != nil
        )
    }
}

private extension Transaction {
    /// When the grace period ends, if this is the period that the person is late to pay.
    ///
    /// The status is the one of the whole subscription group, so it may be about another transaction.
    var gracePeriodEnd: Date? {
        get async {
            guard let status = await subscriptionStatus,
                case .verified(let latest) = status.transaction, latest.id == id,
                case .verified(let renewal) = status.renewalInfo
            else { return nil }
            return renewal.gracePeriodExpirationDate
        }
    }
}

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
private extension AppPurchase {
    init(_ transaction: AppTransaction, isVerified: Bool) {
        let date = transaction.originalPurchaseDate
        let platform = transaction.originalPlatformStringRepresentation
        self.init(
            // What was signed before April 2025 may have none. The first purchase's date never changes either.
            id: transaction.appTransactionID.isEmpty
                ? "purchased-\(Int(date.timeIntervalSince1970))" : transaction.appTransactionID,
            isVerified: isVerified,
            isRevoked: transaction.isRevoked,
            originalPlatform: platform.isEmpty ? nil : Platform(rawValue: platform),
            originalVersion: transaction.originalAppVersion,
            originalPurchase: date,
            environment: StoreEnvironment(transaction.environment)
        )
    }
}

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
private extension StoreEnvironment {
    /// An environment that isn't known yet is no shop, so it counts as the sandbox.
    init(_ environment: StoreKit.AppStore.Environment) {
        switch environment {
        case .production: self = .production
        case .xcode: self = .xcode
        default: self = .sandbox
        }
    }
}

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
private extension AppTransaction {
    /// Whether the signed text tells a revocation. The property for it, `revocationDate`, needs Xcode 27.
    var isRevoked: Bool {
        (try? JSONDecoder().decode(Revocation.self, from: jsonRepresentation))?.isThere ?? false
    }

    private struct Revocation: Decodable {
        let isThere: Bool

        private enum CodingKeys: CodingKey { case revocationDate }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isThere = try container.contains(.revocationDate) && !container.decodeNil(forKey: .revocationDate)
        }
    }
}
#endif
