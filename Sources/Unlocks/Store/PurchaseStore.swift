/// The operations of the App Store.
///
/// `StoreKitStore` is StoreKit 2. `ScriptedStore` plays a script, for tests and previews.
@MainActor
public protocol PurchaseStore: AnyObject {
    /// The environment that the store works in now; `nil` if that isn't known yet.
    var environment: StoreEnvironment? { get }

    /// Whether the device allows payments.
    var canMakePayments: Bool { get }

    /// Asks for products.
    ///
    /// - Parameter identifiers: The product identifiers.
    /// - Returns: The products that the store has, in any order.
    /// - Throws: Why the store can't be asked, such as a network error.
    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct]

    /// Asks the user to buy a product, where they have tapped.
    ///
    /// - Parameters:
    ///   - product: The product identifier.
    ///   - place: Where the user has tapped; `nil` is the view in front.
    /// - Returns: The result of the purchase.
    /// - Throws: Why it can't be bought.
    func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult

    /// Events outside of the app: a purchase on another device, an approval, a renewal, a refund.
    ///
    /// Each caller gets a separate stream. It ends when the task that reads it is canceled.
    func updates() -> AsyncStream<StoreStatement>

    /// The transactions that aren't finished.
    func unfinishedTransactions() async -> [StoreStatement]

    /// The transactions that entitle the user to something now, without finished consumables.
    func currentEntitlements() async -> [StoreStatement]

    /// All transactions that the store remembers, including refunded ones. It remembers a finished consumable only if
    /// it was refunded.
    func allTransactions() async -> [StoreStatement]

    /// Tells the store that a transaction is delivered, or that its refund is recorded.
    ///
    /// Only the transaction as reported by ``unfinishedTransactions()`` or ``updates()`` is finished. If it has changed
    /// since, it stays unfinished. An unknown transaction is ignored.
    func finish(_ transaction: StoreTransaction) async

    /// The app's own purchase; `nil` if the system doesn't report it, as on iOS 15.
    ///
    /// - Parameter isRefresh: Whether to ask the App Store for a new copy. The user may have to sign in, so pass true only
    ///   when they ask for it. If false, the user may have to sign in only if the system has no copy.
    /// - Returns: The app's own purchase.
    /// - Throws: Why the store can't be asked.
    func appPurchase(isRefresh: Bool) async throws -> AppPurchase?

    /// Brings the store's transactions up to date. The user may have to sign in, so call it only when they ask for it.
    func sync() async throws

    /// The products that the user chose to buy outside of the app, such as a promoted product on the App Store's page.
    func purchaseIntents() -> AsyncStream<ProductID>

    /// One element per change of the user's storefront, and so of the prices.
    func storefrontChanges() -> AsyncStream<Void>
}

extension PurchaseStore {
    /// True: a store without restrictions.
    public var canMakePayments: Bool { true }

    /// No products: a store without promoted products.
    public func purchaseIntents() -> AsyncStream<ProductID> { AsyncStream { $0.finish() } }

    /// No changes: a store with one storefront.
    public func storefrontChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// The result of a purchase attempt.
public enum StorePurchaseResult: Sendable, Equatable {
    /// The product was bought, according to this statement.
    case purchased(StoreStatement)
    /// Somebody must approve the purchase first. If they do, it arrives as an update.
    case pending
    /// The user canceled the purchase.
    case cancelled
}
