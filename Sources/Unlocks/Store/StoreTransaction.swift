public import ReferralFoundation

/// A statement of the store about a transaction, and whether its signature is valid.
public enum StoreStatement: Sendable, Hashable {
    /// The signature is valid.
    case verified(StoreTransaction)
    /// The signature isn't valid, for this reason.
    case unverified(StoreTransaction, reason: String)
}

/// A purchase, a renewal, or the refund of either.
public struct StoreTransaction: Sendable, Hashable, Codable {
    /// The kind of a product in App Store Connect.
    public enum ProductKind: String, Sendable, Codable {
        /// A product that is used up.
        case consumable
        /// A product that is bought once.
        case nonConsumable
        /// A subscription that doesn't renew by itself. The store doesn't know how long it lasts.
        case nonRenewing
        /// A subscription that renews by itself.
        case subscription
    }

    /// The transaction's identifier. A refund has the identifier of its purchase.
    public var id: String
    /// The identifier of the first transaction: of a subscription's first period, or of the purchase that was restored.
    public var originalID: String?
    /// The product identifier.
    public var productID: ProductID
    /// The product's kind; `nil` if that isn't known.
    public var productKind: ProductKind?
    /// The number of units bought at once.
    public var quantity: Int
    /// The bundle identifier of the app in which it was bought; `nil` if that isn't known.
    public var app: String?
    /// The environment of the purchase; `nil` if that isn't known, so that it counts in every environment.
    public var environment: StoreEnvironment?
    /// Whether a family member bought it.
    public var isFamilyShared: Bool
    /// The date of the purchase; `nil` if that isn't known.
    public var purchaseDate: Date?
    /// The date of the first transaction, if it differs from the purchase date, as in a restored transaction; otherwise
    /// `nil`.
    public var originalPurchaseDate: Date?
    /// The date at which the store signed this statement; `nil` if that isn't known. If two statements are about the
    /// same transaction, the one signed later counts.
    public var signedDate: Date?
    /// The end of a subscription's period, before any grace period; `nil` if there is no end.
    public var expirationDate: Date?
    /// Whether it was refunded, or family sharing ended.
    public var isRevoked: Bool
    /// The price that was paid, in the ``currency``; `nil` if that isn't known.
    public var price: Decimal?
    /// The code of the price's currency in ISO 4217, such as `EUR`.
    public var currency: String?
    /// The statement as the store has signed it, in JWS's compact form, for a server of the app's own.
    ///
    /// It isn't kept on the disk. A delivery has it if the store has told the transaction since the launch.
    public var signedText: String?

    /// Creates a transaction.
    public init(
        id: String,
        originalID: String? = nil,
        productID: ProductID,
        productKind: ProductKind? = nil,
        quantity: Int = 1,
        app: String? = nil,
        environment: StoreEnvironment? = nil,
        isFamilyShared: Bool = false,
        purchaseDate: Date? = nil,
        originalPurchaseDate: Date? = nil,
        signedDate: Date? = nil,
        expirationDate: Date? = nil,
        isRevoked: Bool = false,
        price: Decimal? = nil,
        currency: String? = nil,
        signedText: String? = nil
    ) {
        self.id = id
        self.originalID = originalID
        self.productID = productID
        self.productKind = productKind
        self.quantity = quantity
        self.app = app
        self.environment = environment
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.signedDate = signedDate
        self.expirationDate = expirationDate
        self.isFamilyShared = isFamilyShared
        self.isRevoked = isRevoked
        self.price = price
        self.currency = currency
        self.signedText = signedText
    }
}
