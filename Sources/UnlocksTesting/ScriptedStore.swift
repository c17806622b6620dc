public import Unlocks

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
/// It is the store's side, which outlives the app: to play a new launch of the app, drop everything but the store. It
/// has no clock, no task and no chance of its own. Transactions are numbered `1`, `2` and so on, and what an act changes
/// is there when the act returns.
///
/// Purchases, refunds and all other changes stay among ``unfinishedTransactions()`` until they are finished. A listener
/// that begins while there is no other gets them as its first updates, as at the launch of an app.
@MainActor
public final class ScriptedStore: Store {
    /// A product for sale.
    public struct Product: Sendable, Hashable {
        /// What a product is.
        public enum Kind: Sendable, Hashable {
            /// Bought once, and kept.
            case nonConsumable
            /// Bought again and again. The store forgets a purchase once it is finished, and remembers it if it is refunded.
            case consumable
            /// Covers a number of seconds, and renews by itself.
            case subscription(seconds: TimeInterval)
            /// Is bought for a time that the store doesn't know.
            case nonRenewing
        }

        /// The product identifier.
        public var id: String
        /// The price as the store writes it.
        public var price: String
        /// What it is.
        public var kind: Kind
        /// The period of a subscription, as the store reports it.
        public var period: SubscriptionPeriod?

        /// Creates a product. Without a period, a subscription reports its seconds as whole days, rounded up.
        public init(id: String, price: String, kind: Kind = .nonConsumable, period: SubscriptionPeriod? = nil) {
            (self.id, self.price, self.kind, self.period) = (id, price, kind, period)
            if period == nil, case .subscription(let seconds) = kind {
                let days = Int(exactly: (seconds / 86_400).rounded(.up)) ?? 1
                self.period = SubscriptionPeriod(.day, count: max(1, days))
            }
        }
    }

    /// How the store answers an attempt to buy.
    public enum Answer: Sendable {
        /// It is bought. What the person has already is not bought again: its transaction is the answer.
        case bought
        /// It is bought, and the signature isn't valid, for this reason.
        case unverified(reason: String)
        /// Somebody must approve it: see ``approve(_:)`` and ``decline(_:)``.
        case pending
        /// The person changes their mind.
        case cancelled
        /// The attempt fails.
        case failed(any Error)
    }

    /// The products for sale. To take one off sale takes nothing away from those who have it.
    public var products: [Product]
    /// How the next attempts to buy are answered, the first one first. Without an answer, it is bought.
    public var nextPurchases: [Answer] = []
    /// The transactions whose signature isn't valid, by identifier, and why.
    public var unverified: [String: String] = [:]
    /// What the store says of the app's own purchase; `nil` as on iOS 15.
    public var boughtApp: AppPurchase?
    /// The environment that the app works in. The store lists only purchases of this environment.
    public var environment: StoreEnvironment? = .production
    /// The transactions of subscriptions in their grace period. They are listed after their expiration too.
    public var inGracePeriod: Set<String> = []
    /// Whether the device is online. Offline, the store lists no entitlements, as StoreKit is reported to do, and events
    /// arrive later, in order.
    public var isReachable = true {
        didSet { if isReachable { arriveAll() } }
    }
    /// Whether a refund that happens while nobody listens is sent to nobody, not even later, as StoreKit is said to do.
    ///
    /// It is seen in ``allTransactions()``, and in what ``currentEntitlements()`` leaves out.
    public var missesUpdates = false
    /// Whether every update is sent twice, and what ``purchase(_:)`` returns is sent as an update too.
    public var sendsDoubles = false
    /// The present moment.
    public var now: () -> Date

    /// The products that were asked for, a set for each call.
    public private(set) var askedProducts: [Set<String>] = []
    /// The products that somebody tried to buy, in order.
    public private(set) var askedPurchases: [String] = []
    /// How often ``sync()`` was called.
    public private(set) var syncs = 0
    /// The transactions that were finished, in order. One that was finished again after a refund is there twice.
    public private(set) var finished: [String] = []
    /// The products that wait for an approval, in order.
    public internal(set) var pending: [String] = []

    /// The number of calls of ``appPurchase(isRefresh:)``, and how many of them were for a refresh.
    public private(set) var (askedApp, appRefreshes) = (0, 0)

    let app: String?
    var count = 0
    /// What the device knows, in the order of the purchases.
    var records: [Record] = []
    /// What happened while the device was offline.
    var underway: [Record] = []
    var listeners: [Listener] = []
    /// The products that the user chose outside of the app while it didn't run.
    var intents: [String] = []
    var intentListeners: [AsyncStream<String>.Continuation] = []
    var storefrontListeners: [AsyncStream<Void>.Continuation] = []

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - products: The products for sale.
    ///   - app: The bundle identifier of the app, which each transaction tells.
    ///   - boughtApp: What the store says of the app's own purchase; `nil` as on iOS 15.
    ///   - now: The present moment.
    public init(
        products: [Product] = [],
        app: String? = nil,
        boughtApp: AppPurchase? = nil,
        now: @escaping () -> Date = { Date() }
    ) {
        (self.products, self.app, self.boughtApp, self.now) = (products, app, boughtApp, now)
    }

    // MARK: What an app asks

    /// The products for sale among these.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false.
    public func products(_ identifiers: Set<String>) async throws -> [StoreProduct] {
        askedProducts.append(identifiers)
        try requireReachable()
        return products.filter { identifiers.contains($0.id) }.map {
            StoreProduct(id: $0.id, price: $0.price, period: $0.period)
        }
    }

    /// Answers an attempt to buy, with the next of ``nextPurchases``.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false, ``StoreError/noSuchProduct(_:)`` if the
    ///   product isn't for sale, or what the script says.
    public func purchase(_ product: String) async throws -> StorePurchaseResult {
        askedPurchases.append(product)
        try requireReachable()
        guard products.contains(where: { $0.id == product }) else { throw StoreError.noSuchProduct(product) }
        switch nextPurchases.isEmpty ? .bought : nextPurchases.removeFirst() {
        case .bought: return .purchased(statement(buy(product)))
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

    /// What happens from now on, after what happened while nobody listened. Each caller gets a stream of its own.
    public func updates() -> AsyncStream<StoreStatement> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreStatement.self)
        let isFirst = !isListenedTo
        // A stream that ends lets go of its handler, and so of the mark.
        let mark = Mark()
        continuation.onTermination = { _ in withExtendedLifetime(mark) {} }
        let listener = Listener(continuation: continuation, mark: mark)
        listeners.append(listener)
        if isFirst { records.filter { !$0.isFinished && isPresent($0) }.forEach { send($0, to: [listener]) } }
        return stream
    }

    /// The transactions that aren't finished, in the order of the purchases.
    public func unfinishedTransactions() async -> [StoreStatement] {
        records.filter { !$0.isFinished && isPresent($0) }.map(statement)
    }

    /// The last open transaction of each product. One that expires at this moment has expired. Empty while ``isReachable``
    /// is false.
    public func currentEntitlements() async -> [StoreStatement] {
        guard isReachable else { return [] }
        let open = records.filter { isOpen($0) && isPresent($0) }
        let last = Dictionary(open.map { ($0.transaction.product, $0.id) }, uniquingKeysWith: { $1 })
        return open.filter { last[$0.transaction.product] == $0.id }.map(statement)
    }

    /// All transactions, also those that were refunded or have expired, in the order of the purchases. Finished consumables
    /// that weren't refunded aren't among them.
    public func allTransactions() async -> [StoreStatement] {
        records.filter { !isForgotten($0) && isPresent($0) }.map(statement)
    }

    /// Notes that a transaction is delivered. One that isn't known, has changed since, or is finished, is ignored.
    public func finish(_ transaction: StoreTransaction) async {
        guard let index = records.firstIndex(where: { $0.transaction == transaction && !$0.isFinished }) else { return }
        records[index].isFinished = true
        finished.append(transaction.id)
    }

    /// What ``boughtApp`` says.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false.
    public func appPurchase(isRefresh: Bool) async throws -> AppPurchase? {
        askedApp += 1
        if isRefresh { appRefreshes += 1 }
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

    /// The products of ``promote(_:)``, including those that were chosen before the app listened.
    public func purchaseIntents() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        for product in intents { continuation.yield(product) }
        intents = []
        intentListeners.append(continuation)
        return stream
    }

    /// One element per call of ``changeStorefront(_:)``.
    public func storefrontChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        storefrontListeners.append(continuation)
        return stream
    }
}
