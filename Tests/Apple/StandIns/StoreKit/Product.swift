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

    public struct SubscriptionInfo: Sendable {
        public struct RenewalInfo: Sendable {
            public let gracePeriodExpirationDate: Date?

            // MARK: For tests

            public init(gracePeriodExpirationDate: Date?) { self.gracePeriodExpirationDate = gracePeriodExpirationDate }
        }

        public struct Status: Sendable {
            public let transaction: VerificationResult<Transaction>
            public let renewalInfo: VerificationResult<RenewalInfo>

            // MARK: For tests

            public init(transaction: VerificationResult<Transaction>, renewalInfo: VerificationResult<RenewalInfo>) {
                (self.transaction, self.renewalInfo) = (transaction, renewalInfo)
            }
        }
    }

    public let id: String
    public let displayPrice: String

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

    public init(id: String, displayPrice: String) { (self.id, self.displayPrice) = (id, displayPrice) }
}
