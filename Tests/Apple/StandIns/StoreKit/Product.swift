public struct Product: Identifiable, Sendable {
    public struct PurchaseOption: Hashable, Sendable {}

    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled
        case pending
        /// None of Apple's, whose enumeration may grow.
        case somethingNew
    }

    public enum PurchaseError: Error {
        case invalidQuantity
        case productUnavailable
        case purchaseNotAllowed
        case ineligibleForOffer
        case invalidOfferIdentifier
        case invalidOfferPrice
        case invalidOfferSignature
        case missingOfferParameters
    }

    public struct ProductType: RawRepresentable, Hashable, Sendable {
        public static let consumable = ProductType(rawValue: "Consumable")
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public struct SubscriptionPeriod: Hashable, Sendable {
        public enum Unit: Hashable, Sendable {
            case day
            case week
            case month
            case year
        }

        public let unit: Unit
        public let value: Int

        // MARK: For tests

        public init(unit: Unit, value: Int) { (self.unit, self.value) = (unit, value) }
    }

    public struct SubscriptionInfo: Sendable {
        public let subscriptionPeriod: SubscriptionPeriod

        // MARK: For tests

        public init(subscriptionPeriod: SubscriptionPeriod) { self.subscriptionPeriod = subscriptionPeriod }
    }

    public let id: String
    public let displayPrice: String
    public let subscription: SubscriptionInfo?

    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
        try await answer(identifiers.sorted())
    }

    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try await Self.onPurchase(self)
    }

    // MARK: For tests

    /// What the store answers when it is asked for products.
    public nonisolated(unsafe) static var answer: @Sendable ([String]) async throws -> [Product] = { _ in [] }

    /// What becomes of a purchase.
    @MainActor public static var onPurchase: (Product) async throws -> PurchaseResult = { _ in .userCancelled }

    public init(id: String, displayPrice: String, period: SubscriptionPeriod? = nil) {
        (self.id, self.displayPrice) = (id, displayPrice)
        subscription = period.map(SubscriptionInfo.init)
    }
}

extension Product.PurchaseError: LocalizedError {
    public var errorDescription: String? { "StoreKit says: \(self)." }
}
