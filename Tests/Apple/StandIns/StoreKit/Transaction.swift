public struct Transaction: Identifiable, Sendable {
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>

        public struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: AsyncStream<Element>.Iterator

            public mutating func next() async -> Element? { await iterator.next() }
        }

        let stream: AsyncStream<Element>

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }

    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let id: UInt64
    public let originalID: UInt64
    public let productID: String
    public let productType: Product.ProductType
    public let ownershipType: OwnershipType
    public let environment: AppStore.Environment
    public var environmentStringRepresentation: String { environment.rawValue }
    public let appBundleID: String
    public let purchaseDate: Date
    public let purchasedQuantity: Int
    public let expirationDate: Date?
    public let isUpgraded: Bool
    public let revocationDate: Date?
    public let signedDate: Date

    public static var updates: Transactions { Transactions(stream: history.feed.listen()) }

    public static var unfinished: Transactions { history.sequence { $0.unfinished } }

    public static var currentEntitlements: Transactions { history.sequence { $0.isOffline ? [] : $0.entitlements } }

    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        history.state.latest[productID]
    }

    public func finish() async {
        Self.history.change { state in
            state.finished.append(id)
            state.unfinished.removeAll { $0.id == id }
        }
    }

    // MARK: For tests

    public static let history = TransactionHistory()

    public init(
        id: UInt64,
        originalID: UInt64? = nil,
        productID: String,
        productType: Product.ProductType = .nonConsumable,
        ownershipType: OwnershipType = .purchased,
        environment: AppStore.Environment = .production,
        appBundleID: String = "com.example.trestle",
        purchaseDate: Date = Date(timeIntervalSince1970: 1_800_000_000),
        purchasedQuantity: Int = 1,
        expirationDate: Date? = nil,
        isUpgraded: Bool = false,
        revocationDate: Date? = nil,
        signedDate: Date = Date(timeIntervalSince1970: 1_800_000_000)
    ) {
        (self.id, self.originalID) = (id, originalID ?? id)
        (self.productID, self.productType, self.appBundleID) = (productID, productType, appBundleID)
        (self.ownershipType, self.environment) = (ownershipType, environment)
        (self.purchaseDate, self.purchasedQuantity) = (purchaseDate, purchasedQuantity)
        (self.expirationDate, self.isUpgraded) = (expirationDate, isUpgraded)
        (self.revocationDate, self.signedDate) = (revocationDate, signedDate)
    }
}

/// What the store knows of a person's transactions.
public final class TransactionHistory: @unchecked Sendable {
    public struct State: Sendable {
        public var unfinished: [VerificationResult<Transaction>] = []
        public var entitlements: [VerificationResult<Transaction>] = []
        public var latest: [String: VerificationResult<Transaction>] = [:]
        /// Whether the device is offline, so that the list of entitlements is empty.
        public var isOffline = false
        /// The transactions that were finished, in order.
        public var finished: [UInt64] = []
    }

    let feed = Feed<VerificationResult<Transaction>>()
    private let lock = NSLock()
    private var current = State()

    public var state: State { lock.withLock { current } }

    /// How many listen now.
    public var numberOfListeners: Int { feed.numberOfListeners }

    public func change(_ body: (inout State) -> Void) { lock.withLock { body(&current) } }

    /// Tells all who listen.
    public func send(_ update: VerificationResult<Transaction>) { feed.send(update) }

    /// Forgets everything.
    public func clear() { change { $0 = State() } }

    func sequence(_ list: (State) -> [VerificationResult<Transaction>]) -> Transaction.Transactions {
        let (stream, continuation) = AsyncStream.makeStream(of: VerificationResult<Transaction>.self)
        for element in list(state) { continuation.yield(element) }
        continuation.finish()
        return Transaction.Transactions(stream: stream)
    }
}

private extension VerificationResult<Transaction> {
    var id: UInt64 {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): transaction.id
        }
    }
}
