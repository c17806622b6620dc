#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store that plays a script, for tests, previews and the simulator.
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
///     let unlocks = try? Unlocks(store: store, catalogue: catalogue, folder: folder, context: context)
///     unlocks?.start()
///     return unlocks.map { ShopView($0) }
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
            case lasting
            /// Bought again and again. The store forgets a purchase once it is finished, and remembers it if it is refunded.
            case consumable
            /// Lasts for a number of seconds.
            case subscription(seconds: TimeInterval)
        }

        /// The product identifier.
        public var id: String
        /// The price as the store writes it.
        public var price: String
        /// What it is.
        public var kind: Kind

        /// Creates a product.
        public init(id: String, price: String, kind: Kind = .lasting) {
            (self.id, self.price, self.kind) = (id, price, kind)
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
    /// Whether the device is online. Offline, the store knows what it knew, and what happens arrives later, in order.
    public var isReachable = true {
        didSet { if isReachable { arriveAll() } }
    }
    /// Whether a refund that happens while nobody listens is sent to nobody, not even later, as StoreKit is said to do.
    ///
    /// It is seen in ``latestTransaction(of:)``, and in what ``currentEntitlements()`` leaves out.
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
    public private(set) var pending: [String] = []

    private let app: String?
    private var count = 0
    /// What the device knows, in the order of the purchases.
    private var records: [Record] = []
    /// What happened while the device was offline.
    private var underway: [Record] = []
    private var listeners: [Listener] = []

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
        return products.filter { identifiers.contains($0.id) }.map { StoreProduct(id: $0.id, price: $0.price) }
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
        if isFirst { records.filter { !$0.isFinished }.forEach { send($0, to: [listener]) } }
        return stream
    }

    /// The transactions that aren't finished, in the order of the purchases.
    public func unfinishedTransactions() async -> [StoreStatement] {
        records.filter { !$0.isFinished }.map(statement)
    }

    /// The last open transaction of each product. One that expires at this moment has expired.
    public func currentEntitlements() async -> [StoreStatement] {
        let open = records.filter(isOpen)
        let last = Dictionary(open.map { ($0.transaction.product, $0.id) }, uniquingKeysWith: { $1 })
        return open.filter { last[$0.transaction.product] == $0.id }.map(statement)
    }

    /// The last transaction of a product, also if it was refunded or has expired. A finished consumable that wasn't
    /// refunded isn't there any more.
    public func latestTransaction(of product: String) async -> StoreStatement? {
        records.last { $0.transaction.product == product && !isForgotten($0) }.map(statement)
    }

    /// Notes that a transaction is delivered. One that isn't known, or is finished, is ignored.
    public func finish(_ transaction: String) async {
        guard let index = records.firstIndex(where: { $0.id == transaction && !$0.isFinished }) else { return }
        records[index].isFinished = true
        finished.append(transaction)
    }

    /// What ``boughtApp`` says.
    ///
    /// - Throws: ``StoreError/unreachable`` while ``isReachable`` is false.
    public func appPurchase() async throws -> AppPurchase? {
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

    // MARK: What happens elsewhere

    /// Ends all streams of ``updates()``, as when the app's process ends.
    public func endUpdates() {
        listeners.forEach { $0.continuation.finish() }
        listeners = []
    }

    /// The identifier of the next transaction.
    public var nextTransaction: String { String(count + 1) }

    /// Somebody approves the purchase that waits longest for this product. It comes as an update.
    ///
    /// - Returns: The transaction; `nil` if no purchase of this product waits.
    @discardableResult
    public func approve(_ product: String) -> String? {
        decline(product) ? buyElsewhere(product) : nil
    }

    /// Somebody declines the purchase that waits longest for this product. The app hears nothing of it.
    ///
    /// - Returns: Whether a purchase of this product waited.
    @discardableResult
    public func decline(_ product: String) -> Bool {
        guard let index = pending.firstIndex(of: product) else { return false }
        pending.remove(at: index)
        return true
    }

    /// The person buys a product on another device, or the app ended before it heard of the purchase.
    ///
    /// - Returns: The transaction.
    @discardableResult
    public func buyElsewhere(_ product: String, quantity: Int = 1) -> String {
        happen(makeRecord(product, quantity: quantity))
    }

    /// Somebody of the family who has a product begins to share it.
    ///
    /// - Returns: The transaction.
    @discardableResult
    public func beginFamilySharing(_ product: String) -> String { buyElsewhere(product) }

    /// A family member ends sharing, or leaves: the transaction is revoked.
    public func endFamilySharing(_ transaction: String) { refund(transaction) }

    /// The store refunds a transaction. A transaction that it doesn't know is ignored.
    public func refund(_ transaction: String) { change(transaction) { $0.isRevoked = true } }

    /// The store takes a refund back.
    public func reverseRefund(_ transaction: String) { change(transaction) { $0.isRevoked = false } }

    /// Renews a subscription, from where the last period ends; from now if it has ended, or there was none.
    ///
    /// - Returns: The transaction of the new period, which has an identifier of its own.
    @discardableResult
    public func renew(_ product: String) -> String {
        let end = (records + underway).last { $0.transaction.product == product }?.transaction.expirationDate
        return happen(makeRecord(product, from: end.map { max($0, now()) }))
    }

    /// Moves the end of a subscription: later for a grace period, earlier for a change to another product.
    public func setExpiration(of transaction: String, to date: Date?) {
        change(transaction) { $0.expirationDate = date }
    }
}

private extension ScriptedStore {
    struct Record {
        var transaction: StoreTransaction
        let kind: Product.Kind
        var isFinished = false

        var id: String { transaction.id }
    }

    /// There for as long as a stream is read.
    final class Mark: Sendable {}

    struct Listener {
        let continuation: AsyncStream<StoreStatement>.Continuation
        weak var mark: Mark?
    }

    var isListenedTo: Bool {
        listeners.removeAll { $0.mark == nil }
        return !listeners.isEmpty
    }

    func requireReachable() throws {
        guard isReachable else { throw StoreError.unreachable }
    }

    func statement(_ record: Record) -> StoreStatement {
        unverified[record.id].map { .unverified(record.transaction, reason: $0) } ?? .verified(record.transaction)
    }

    func isOpen(_ record: Record) -> Bool {
        guard record.kind != .consumable, !record.transaction.isRevoked else { return false }
        return record.transaction.expirationDate.map { now() < $0 } ?? true
    }

    /// StoreKit forgets consumables that are finished, except refunded ones.
    func isForgotten(_ record: Record) -> Bool {
        record.kind == .consumable && record.isFinished && !record.transaction.isRevoked
    }

    func makeRecord(_ product: String, quantity: Int = 1, from start: Date? = nil) -> Record {
        count += 1
        let kind = products.first { $0.id == product }?.kind ?? .lasting
        let date = now()
        var transaction = StoreTransaction(
            id: String(count),
            product: product,
            quantity: quantity,
            app: app,
            purchaseDate: start ?? date,
            signedDate: date
        )
        if case .subscription(let seconds) = kind {
            transaction.expirationDate = (start ?? date).addingTimeInterval(seconds)
        }
        return Record(transaction: transaction, kind: kind)
    }

    /// A purchase in the app, whose transaction is returned and not sent.
    func buy(_ product: String) -> Record {
        if let owned = records.last(where: { $0.transaction.product == product && isOpen($0) }) { return owned }
        let record = makeRecord(product)
        records.append(record)
        if sendsDoubles { send(record, to: listeners) }
        return record
    }

    func change(_ id: String, _ body: (inout StoreTransaction) -> Void) {
        guard var record = (records + underway).last(where: { $0.id == id }) else { return }
        body(&record.transaction)
        // The newer statement counts, so a clock that stands still must not make them equal.
        let last = record.transaction.signedDate ?? .distantPast
        record.transaction.signedDate = max(now(), last.addingTimeInterval(0.001))
        record.isFinished = false
        happen(record)
    }

    @discardableResult
    func happen(_ record: Record) -> String {
        underway.append(record)
        if isReachable { arriveAll() }
        return record.id
    }

    func arriveAll() {
        let arrived = underway
        underway = []
        arrived.forEach(arrive)
    }

    func arrive(_ record: Record) {
        var isMissed = false
        if let index = records.firstIndex(where: { $0.id == record.id }) {
            let known = records[index]
            isMissed = missesUpdates && !isListenedTo && known.transaction.isRevoked != record.transaction.isRevoked
            records[index] = record
            if isMissed { records[index].isFinished = known.isFinished }
        } else {
            records.append(record)
        }
        if !isMissed { send(record, to: listeners) }
    }

    func send(_ record: Record, to listeners: [Listener]) {
        for listener in listeners {
            listener.continuation.yield(statement(record))
            if sendsDoubles { listener.continuation.yield(statement(record)) }
        }
    }
}
