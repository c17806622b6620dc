public import ReferralFoundation

/// The operations of the App Store.
///
/// `StoreKitStore` is StoreKit 2. `ScriptedStore` plays a script, for tests and previews.
@MainActor
public protocol Store: AnyObject {
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

    /// Asks the user to buy a product.
    ///
    /// - Returns: The result of the purchase.
    /// - Throws: Why it can't be bought.
    func purchase(_ product: ProductID) async throws -> StorePurchaseResult

    /// Asks the user to buy a product, where they have tapped. A store without windows needs only the other method.
    ///
    /// - Parameters:
    ///   - product: The product identifier.
    ///   - place: Where the user has tapped; `nil` is what is in front in the app.
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

extension Store {
    /// True: a store without restrictions.
    public var canMakePayments: Bool { true }

    /// Asks the user to buy a product, wherever they have tapped: a store without windows.
    public func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult {
        try await purchase(product)
    }

    /// No products: a store without promoted products.
    public func purchaseIntents() -> AsyncStream<ProductID> { AsyncStream { $0.finish() } }

    /// No changes: a store with one storefront.
    public func storefrontChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// A product in the store.
public struct StoreProduct: Sendable, Hashable {
    /// The product identifier.
    public let id: ProductID
    /// The price as the store writes it, such as `2,99 €`.
    public let price: String
    /// The time that one payment for a subscription covers; `nil` if the product isn't a subscription that renews by itself.
    public let period: SubscriptionPeriod?
    /// The name in the store, in the user's language; `nil` if the store has none.
    public let title: String?
    /// The free or cheaper time with which a subscription begins; `nil` if there is none, or the user had it before. A change from
    /// another plan of the same ``group`` has none.
    public let introduction: Introduction?
    /// The group of a subscription, whose members are plans of one thing: the user has at most one of them. `nil` if that isn't
    /// known, or if the product isn't a subscription.
    public let group: String?

    /// Creates a product.
    public init(
        id: ProductID,
        price: String,
        period: SubscriptionPeriod? = nil,
        title: String? = nil,
        introduction: Introduction? = nil,
        group: String? = nil
    ) {
        self.id = id
        self.price = price
        self.period = period
        self.title = title
        self.introduction = introduction
        self.group = group
    }

    /// A free or cheaper time with which a subscription begins.
    public struct Introduction: Sendable, Hashable {
        /// The price of one payment as the store writes it; `nil` if the time is free.
        public let price: String?
        /// The time that one payment covers.
        public let period: SubscriptionPeriod
        /// The number of payments, from 1.
        public let count: Int

        /// Creates an introduction.
        public init(price: String? = nil, period: SubscriptionPeriod, count: Int = 1) {
            self.price = price
            self.period = period
            self.count = count
        }
    }
}

/// The time that one payment for a subscription covers, such as three months.
public struct SubscriptionPeriod: Sendable, Hashable {
    /// A unit of time.
    public enum Unit: String, Sendable {
        /// A day.
        case day
        /// A week.
        case week
        /// A month.
        case month
        /// A year.
        case year
    }

    /// The unit of time.
    public let unit: Unit
    /// The number of units, from 1.
    public let count: Int

    /// Creates a period. Seven days become a week, because the store reports a week in either form.
    public init(_ unit: Unit, count: Int = 1) {
        let isWeeks = unit == .day && count > 0 && count % 7 == 0
        (self.unit, self.count) = isWeeks ? (.week, count / 7) : (unit, count)
    }
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

/// A statement of the store about a transaction, and whether its signature is valid.
public enum StoreStatement: Sendable, Hashable {
    /// The signature is valid.
    case verified(StoreTransaction)
    /// The signature isn't valid, for this reason.
    case unverified(StoreTransaction, reason: String)
}

/// A purchase, a renewal, or the refund of either.
public struct StoreTransaction: Sendable, Hashable {
    /// The kind of a product in App Store Connect.
    public enum ProductKind: String, Sendable {
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
    /// It isn't kept on the disk. A delivery has it as long as the store lists the transaction: not for a consumable that is
    /// finished.
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
