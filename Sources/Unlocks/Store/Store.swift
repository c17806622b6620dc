#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the App Store does for an app.
///
/// `AppStore` is StoreKit 2. ``ScriptedStore`` plays a script, for tests and previews.
@MainActor
public protocol Store: AnyObject {
    /// Asks for products.
    ///
    /// - Parameter identifiers: The product identifiers.
    /// - Returns: The products that the store knows, in any order.
    /// - Throws: Why the store can't be asked, such as an error of the network.
    func products(_ identifiers: Set<String>) async throws -> [StoreProduct]

    /// Asks the person to buy a product.
    ///
    /// - Throws: Why it can't be bought.
    func purchase(_ product: String) async throws -> StorePurchaseResult

    /// What happens without the app's doing: a purchase on another device, an approval, a renewal, a refund.
    ///
    /// Each caller gets a stream of its own. It ends when the task that reads it is cancelled.
    func updates() -> AsyncStream<StoreStatement>

    /// The transactions that aren't finished.
    func unfinishedTransactions() async -> [StoreStatement]

    /// The transactions that the person has something from now. Finished consumables aren't among them.
    func currentEntitlements() async -> [StoreStatement]

    /// The last transaction of a product, also if it was refunded; `nil` if the store has none.
    func latestTransaction(of product: String) async -> StoreStatement?

    /// Tells the store that what was bought is delivered. A transaction that the store doesn't know is ignored.
    func finish(_ transaction: String) async

    /// What the store says of the app's own purchase; `nil` if the system doesn't tell, as on iOS 15.
    ///
    /// - Throws: Why the store can't be asked.
    func appPurchase() async throws -> AppPurchase?

    /// Brings the store's transactions up to date. The person may have to sign in, so call it only when they ask for it.
    func sync() async throws
}

/// A product that the store knows.
public struct StoreProduct: Sendable, Hashable {
    /// The product identifier.
    public let id: String
    /// The price as the store writes it, such as `2,99 €`.
    public let price: String

    /// Creates a product.
    public init(id: String, price: String) { (self.id, self.price) = (id, price) }
}

/// What became of an attempt to buy.
public enum StorePurchaseResult: Sendable, Equatable {
    /// The store says that it was bought.
    case purchased(StoreStatement)
    /// Somebody must approve it first. If they do, it comes as an update.
    case pending
    /// The person changed their mind.
    case cancelled
}

/// What the store says of a transaction, and whether its signature is valid.
public enum StoreStatement: Sendable, Hashable {
    /// The signature is valid.
    case verified(StoreTransaction)
    /// The signature isn't valid, and why.
    case unverified(StoreTransaction, reason: String)
}

/// A purchase, a renewal, or the refund of either.
public struct StoreTransaction: Sendable, Hashable {
    /// The transaction's identifier. A refund has the one of the purchase.
    public var id: String
    /// The product identifier.
    public var product: String
    /// How many were bought at once.
    public var quantity: Int
    /// The app that it was bought in, by its bundle identifier; `nil` if that isn't known.
    public var app: String?
    /// When it was bought; `nil` if that isn't known.
    public var purchaseDate: Date?
    /// When the store signed this statement; `nil` if that isn't known. Of two statements the newer one counts.
    public var signedDate: Date?
    /// When a subscription ends, its grace period included; `nil` if it doesn't.
    public var expirationDate: Date?
    /// Whether it was refunded, or family sharing ended.
    public var isRevoked: Bool

    /// Creates a transaction.
    public init(
        id: String,
        product: String,
        quantity: Int = 1,
        app: String? = nil,
        purchaseDate: Date? = nil,
        signedDate: Date? = nil,
        expirationDate: Date? = nil,
        isRevoked: Bool = false
    ) {
        (self.id, self.product, self.quantity, self.app) = (id, product, quantity, app)
        (self.purchaseDate, self.signedDate, self.expirationDate) = (purchaseDate, signedDate, expirationDate)
        self.isRevoked = isRevoked
    }
}
