public import ReferralFoundation
public import Unlocks

/// A store that plays a script, for tests, previews and the simulator.
///
/// It is in a library of its own, `UnlocksTesting`, which an app's own target doesn't need.
///
/// ```swift
/// #Preview("Bought, and waiting for a parent") {
///     let store = ScriptedStore(products: [
///         .init(id: "com.example.trestle.gold", price: "2,99 €"),
///         .init(id: "com.example.trestle.hints10", price: "0,99 €", kind: .consumable),
///     ])
///     store.buyElsewhere("com.example.trestle.gold")
///     store.nextPurchases = [.pending]
///     let folder = URL.temporaryDirectory.appending(path: "preview")
///     let unlocks = UnlockCenter(store: store, catalog: catalog, folder: folder, context: context)
///     unlocks.start()
///     return ShopView(unlocks)
/// }
/// ```
///
/// The scripted store represents the store, which outlives the app. To play a new launch of the app, release everything
/// but the store. It has no clock, tasks or randomness. Transactions are numbered `1`, `2` and so on, and each change
/// is complete when its method returns.
///
/// Purchases, refunds and all other changes stay in ``unfinishedTransactions()`` until they are finished. A new listener
/// receives them as its first updates, as at the launch of an app.
@MainActor
public final class ScriptedStore: PurchaseStore {
    /// A product for sale.
    public struct Product: Sendable, Hashable {
        /// The kind of a product.
        public enum Kind: Sendable, Hashable {
            /// A product that is bought once and kept.
            case nonConsumable
            /// A product that can be bought repeatedly. The store forgets a finished purchase unless it is refunded.
            case consumable
            /// A subscription that renews by itself after this number of seconds.
            case subscription(seconds: TimeInterval)
            /// A subscription that doesn't renew. The store doesn't know its length.
            case nonRenewing
        }

        /// The product as the store reports it.
        public let listing: StoreProduct
        /// The kind of the product.
        public let kind: Kind

        /// Creates a product. Without a period, a subscription reports its seconds as whole days, rounded up. A user who buys another
        /// plan of a group changes at once.
        public init(
            id: ProductID,
            price: String,
            kind: Kind = .nonConsumable,
            period: SubscriptionPeriod? = nil,
            title: String? = nil,
            introduction: StoreProduct.Introduction? = nil,
            group: String? = nil
        ) {
            var period = period
            if period == nil, case .subscription(let seconds) = kind {
                let days = Int(exactly: (seconds / 86_400).rounded(.up)) ?? 1
                period = SubscriptionPeriod(.day, count: max(1, days))
            }
            self.kind = kind
            listing = StoreProduct(
                id: id,
                price: price,
                period: period,
                title: title,
                introduction: introduction,
                group: group
            )
        }
    }

    /// The store's answer to a purchase attempt.
    public enum Answer: Sendable {
        /// The product is bought. If the user already has it, the answer is the existing transaction.
        case bought
        /// The plan changes when the present one's period ends: the answer is the present plan's transaction. Without a present
        /// plan in the ``Product/group``, the product is bought.
        case scheduled
        /// The product is bought, but the signature isn't valid, for this reason.
        case unverified(reason: String)
        /// The purchase needs somebody's approval: see ``approve(_:)`` and ``decline(_:)``.
        case pending
        /// The user cancels the purchase.
        case cancelled
        /// The attempt fails.
        case failed(any Error)
    }

    /// The products for sale. Users keep a product that is removed from this list.
    public var products: [Product]
    /// The answers to the next purchase attempts, in order. If there are none, an attempt succeeds.
    public var nextPurchases: [Answer] = []
    /// The app's own purchase; `nil` as on iOS 15.
    public var boughtApp: AppPurchase?
    /// The environment that the app works in.
    public var environment: StoreEnvironment? = .production
    /// Whether the device allows payments.
    public var canMakePayments = true
    /// Whether the device is online. Offline, the store lists no entitlements, as StoreKit is reported to do, and events
    /// arrive later, in order.
    public var isReachable = true {
        didSet { if isReachable { arriveAll() } }
    }
    /// The clock that the store uses.
    public var clock: DeviceClock

    /// The product identifiers that were requested, one set per call.
    public private(set) var askedProducts: [Set<ProductID>] = []
    /// The products of all purchase attempts, in order.
    public private(set) var askedPurchases: [ProductID] = []
    /// The number of calls of ``sync()``.
    public private(set) var syncs = 0
    /// The finished transactions, in order. A transaction that was finished again after a refund is listed twice.
    public private(set) var finished: [String] = []
    /// The products whose purchase waits for approval, in order.
    public internal(set) var pending: [ProductID] = []

    let app: String?
    var count = 0
    /// The transactions that the device knows, in the order of the purchases.
    var records: [Record] = []
    /// The events that happened while the device was offline.
    var underway: [Record] = []
    /// The reasons why transactions have an invalid signature, by identifier.
    var unverified: [String: String] = [:]
    var listeners: [AsyncStream<StoreStatement>.Continuation] = []

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - products: The products for sale.
    ///   - app: The bundle identifier of the app, which each transaction contains.
    ///   - boughtApp: The app's own purchase; `nil` as on iOS 15.
    ///   - clock: The clock that the store uses.
    public init(
        products: [Product] = [],
        app: String? = nil,
        boughtApp: AppPurchase? = nil,
        clock: DeviceClock = .system
    ) {
        self.products = products
        self.app = app
        self.boughtApp = boughtApp
        self.clock = clock
    }

    // MARK: The app's questions

    /// The products with these identifiers that are for sale.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false.
    public func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        askedProducts.append(identifiers)
        try requireReachable()
        return products.map(\.listing).filter { identifiers.contains($0.id) }
    }

    /// Answers a purchase attempt with the next element of ``nextPurchases``.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false, ``StoreError/noSuchProduct(_:)`` if the
    ///   product isn't for sale, or the script's error.
    public func purchase(_ product: ProductID, in place: PurchasePlace? = nil) async throws -> StorePurchaseResult {
        askedPurchases.append(product)
        try requireReachable()
        guard products.contains(where: { $0.listing.id == product }) else { throw StoreError.noSuchProduct(product) }
        switch nextPurchases.isEmpty ? .bought : nextPurchases.removeFirst() {
        case .bought: return .purchased(statement(buy(product)))
        case .scheduled: return .purchased(statement(otherPlan(than: product) ?? buy(product)))
        case .unverified(let reason):
            let record = buy(product)
            unverified[record.id] = reason
            return .purchased(statement(record))
        case .pending:
            pending.append(product)
            return .pending
        case .cancelled: return .cancelled
        case .failed(let error): throw error
        }
    }

    /// The events that aren't finished, followed by all new events. Each caller gets a separate stream.
    public func updates() -> AsyncStream<StoreStatement> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreStatement.self)
        for record in records where !record.isFinished { continuation.yield(statement(record)) }
        listeners.append(continuation)
        return stream
    }

    /// The transactions that aren't finished, in the order of the purchases.
    public func unfinishedTransactions() async -> [StoreStatement] {
        records.filter { !$0.isFinished }.map(statement)
    }

    /// The last open transaction of each product. One that expires at this moment has expired. Empty while ``isReachable``
    /// is false.
    public func currentEntitlements() async -> [StoreStatement] {
        guard isReachable else { return [] }
        let open = records.filter(isOpen)
        let last = Dictionary(open.map { ($0.transaction.productID, $0.id) }, uniquingKeysWith: { $1 })
        return open.filter { last[$0.transaction.productID] == $0.id }.map(statement)
    }

    /// All transactions, including refunded and expired ones, in the order of the purchases, but without finished
    /// consumables that weren't refunded.
    public func allTransactions() async -> [StoreStatement] {
        records.filter { !$0.isConsumable || !$0.isFinished || $0.transaction.isRevoked }.map(statement)
    }

    /// Finishes a transaction. A transaction that is unknown, has changed since, or is already finished is ignored.
    public func finish(_ transaction: StoreTransaction) async {
        var transaction = transaction
        transaction.signedText = nil
        guard let index = records.firstIndex(where: { $0.transaction == transaction && !$0.isFinished }) else { return }
        records[index].isFinished = true
        finished.append(transaction.id)
    }

    /// The value of ``boughtApp``.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false.
    public func appPurchase(isRefresh: Bool) async throws -> AppPurchase? {
        try requireReachable()
        return boughtApp
    }

    /// Counts the calls.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false.
    public func sync() async throws {
        syncs += 1
        try requireReachable()
    }
}
