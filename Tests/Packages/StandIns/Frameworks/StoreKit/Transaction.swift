/// https://developer.apple.com/documentation/storekit/transaction
public struct Transaction: Identifiable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/storekit/transaction/transactions
    public typealias Transactions = AsyncStream<VerificationResult<Transaction>>

    /// https://developer.apple.com/documentation/storekit/transaction/ownershiptype-swift.struct
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// https://developer.apple.com/documentation/storekit/transaction/refundrequeststatus
    public enum RefundRequestStatus: Hashable, Sendable {
        case success
        case userCancelled
    }

    /// https://developer.apple.com/documentation/storekit/transaction/refundrequesterror
    public enum RefundRequestError: Error, Hashable, Sendable {
        case duplicateRequest
        case failed
    }

    public let id: UInt64
    public let originalID: UInt64
    public let productID: String
    public let productType: Product.ProductType
    public let ownershipType: Transaction.OwnershipType
    public let appBundleID: String
    public let purchaseDate: Date
    public let originalPurchaseDate: Date
    public let purchasedQuantity: Int
    public let price: Decimal?
    private let currencyName: String?
    public let expirationDate: Date?
    public let isUpgraded: Bool
    public let revocationDate: Date?
    public let signedDate: Date
    public let jsonRepresentation: Data
    private let environmentName: String

    /// https://developer.apple.com/documentation/storekit/transaction/environment
    @available(macOS 13.0, iOS 16.0, *)
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: environmentName) }

    /// https://developer.apple.com/documentation/storekit/transaction/environmentstringrepresentation
    @available(macOS, introduced: 12.0, deprecated: 13.0)
    @available(iOS, introduced: 15.0, deprecated: 16.0)
    @available(visionOS, unavailable)
    public var environmentStringRepresentation: String { environmentName }

    /// https://developer.apple.com/documentation/storekit/transaction/currency
    @available(macOS 13.0, iOS 16.0, *)
    public var currency: Locale.Currency? { currencyName.map { Locale.Currency($0) } }

    /// https://developer.apple.com/documentation/storekit/transaction/currencycode
    @available(macOS, introduced: 12.0, deprecated: 13.0)
    @available(iOS, introduced: 15.0, deprecated: 16.0)
    @available(visionOS, introduced: 1.0, deprecated: 1.0)
    public var currencyCode: String? { currencyName }

    public static var updates: Transaction.Transactions { history.feed.listen() }

    public static var unfinished: Transaction.Transactions { history.sequence { $0.unfinished } }

    /// Empty if the device is offline.
    public static var currentEntitlements: Transaction.Transactions {
        history.sequence { $0.isOffline ? [] : $0.entitlements }
    }

    public static var all: Transaction.Transactions { history.sequence { $0.all } }

    public func finish() async {
        Self.history.change { state in
            state.finished.append(id)
            state.unfinished.removeAll { $0.id == id }
        }
    }

    // MARK: For tests

    package static let history = TransactionHistory()

    package init(
        id: UInt64,
        originalID: UInt64? = nil,
        productID: String,
        productType: Product.ProductType = .nonConsumable,
        ownershipType: OwnershipType = .purchased,
        environment: AppStore.Environment = .production,
        appBundleID: String = "com.example.trestle",
        purchaseDate: Date = Date(timeIntervalSince1970: 1_800_000_000),
        originalPurchaseDate: Date? = nil,
        purchasedQuantity: Int = 1,
        expirationDate: Date? = nil,
        isUpgraded: Bool = false,
        revocationDate: Date? = nil,
        signedDate: Date = Date(timeIntervalSince1970: 1_800_000_000),
        price: Decimal? = nil,
        currency: String? = nil,
        json: String = "{}"
    ) {
        self.id = id
        self.originalID = originalID ?? id
        self.productID = productID
        self.productType = productType
        self.appBundleID = appBundleID
        self.ownershipType = ownershipType
        environmentName = environment.rawValue
        self.purchaseDate = purchaseDate
        self.purchasedQuantity = purchasedQuantity
        self.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.price = price
        currencyName = currency
        self.expirationDate = expirationDate
        self.isUpgraded = isUpgraded
        self.revocationDate = revocationDate
        self.signedDate = signedDate
        jsonRepresentation = Data(json.utf8)
    }
}
