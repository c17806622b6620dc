/// https://developer.apple.com/documentation/storekit/product
public struct Product: Identifiable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/storekit/product/purchaseoption
    public struct PurchaseOption: Hashable, Sendable {
        private let name: String

        // MARK: For tests

        package init(named name: String) { self.name = name }
    }

    /// https://developer.apple.com/documentation/storekit/product/purchaseresult
    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled
        case pending
        #if os(Linux)
        /// For tests: Apple's enumeration may grow.
        case somethingNew
        #endif
    }

    /// https://developer.apple.com/documentation/storekit/product/purchaseerror
    public enum PurchaseError: Error {
        case purchaseNotAllowed
    }

    /// https://developer.apple.com/documentation/storekit/product/producttype
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        public static let consumable = ProductType(rawValue: "Consumable")
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptionperiod
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptionperiod/unit
        public enum Unit: Hashable, Sendable {
            case day
            case week
            case month
            case year
        }

        public let unit: Product.SubscriptionPeriod.Unit
        public let value: Int

        // MARK: For tests

        package init(unit: Unit, value: Int) {
            self.unit = unit
            self.value = value
        }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo
    public struct SubscriptionInfo: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate
        public struct RenewalState: RawRepresentable, Hashable, Sendable {
            public static let subscribed = RenewalState(rawValue: 1)
            public static let expired = RenewalState(rawValue: 2)
            public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
            public static let inGracePeriod = RenewalState(rawValue: 4)
            public static let revoked = RenewalState(rawValue: 5)

            public let rawValue: Int

            public init(rawValue: Int) { self.rawValue = rawValue }
        }

        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/status-swift.struct
        public struct Status: Hashable, Sendable {
            public let state: Product.SubscriptionInfo.RenewalState
        }

        public let introductoryOffer: Product.SubscriptionOffer?
        public let subscriptionGroupID: String
        public let subscriptionPeriod: Product.SubscriptionPeriod
        private let isEligible: Bool

        /// Also true for somebody who has another plan of the group, and has never had a trial.
        public var isEligibleForIntroOffer: Bool { get async { isEligible } }

        /// The states of the user's subscriptions in the group, one for each family member who shares theirs.
        public var status: [Product.SubscriptionInfo.Status] {
            get async throws { try Product.status(subscriptionGroupID).map { Status(state: $0) } }
        }

        // MARK: For tests

        package init(
            subscriptionPeriod: SubscriptionPeriod,
            introductoryOffer: SubscriptionOffer? = nil,
            isEligible: Bool = true,
            group: String = "21000000"
        ) {
            self.subscriptionPeriod = subscriptionPeriod
            self.introductoryOffer = introductoryOffer
            self.isEligible = isEligible
            subscriptionGroupID = group
        }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer
    public struct SubscriptionOffer: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

            public let rawValue: String

            public init(rawValue: String) { self.rawValue = rawValue }
        }

        public let displayPrice: String
        public let period: Product.SubscriptionPeriod
        public let periodCount: Int
        public let paymentMode: Product.SubscriptionOffer.PaymentMode

        // MARK: For tests

        package init(displayPrice: String, period: SubscriptionPeriod, periodCount: Int, paymentMode: PaymentMode) {
            self.displayPrice = displayPrice
            self.period = period
            self.periodCount = periodCount
            self.paymentMode = paymentMode
        }
    }

    public let id: String
    public let displayName: String
    public let displayPrice: String
    public let subscription: Product.SubscriptionInfo?

    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
        try await answer(identifiers.sorted())
    }

    /// https://developer.apple.com/documentation/storekit/product/purchase(options:)
    @available(visionOS, unavailable, message: "Use purchase(confirmIn:options:)")
    @MainActor
    public func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
        try await buy(options)
    }

    // MARK: For tests

    /// What the store answers when it is asked for products.
    package nonisolated(unsafe) static var answer: @Sendable ([String]) async throws -> [Product] = { _ in [] }

    /// The states of the subscriptions in a group.
    package nonisolated(unsafe) static var status: @Sendable (String) throws -> [SubscriptionInfo.RenewalState] = { _ in
        []
    }

    /// The result of a purchase.
    @MainActor package static var onPurchase: (Product) async throws -> PurchaseResult = { _ in .userCancelled }

    /// A sheet of the system's for a purchase, and where it appears.
    package struct Ask {
        package let product: String
        package let options: Set<PurchaseOption>
        /// The scene or the controller that was named.
        package let anchor: AnyObject?
        /// The name of the view's action.
        package let action: String?
    }

    /// The sheets so far.
    @MainActor package static var asks: [Ask] = []

    /// Shows the system's sheet.
    @MainActor
    package func buy(
        _ options: Set<PurchaseOption>,
        in anchor: AnyObject? = nil,
        action: String? = nil
    ) async throws -> PurchaseResult {
        Self.asks.append(Ask(product: id, options: options, anchor: anchor, action: action))
        return try await Self.onPurchase(self)
    }

    package init(
        id: String,
        displayName: String = "",
        displayPrice: String,
        period: SubscriptionPeriod? = nil,
        introductoryOffer: SubscriptionOffer? = nil,
        isEligible: Bool = true,
        group: String = "21000000"
    ) {
        self.id = id
        self.displayName = displayName
        self.displayPrice = displayPrice
        subscription = period.map {
            SubscriptionInfo(
                subscriptionPeriod: $0,
                introductoryOffer: introductoryOffer,
                isEligible: isEligible,
                group: group
            )
        }
    }
}

@available(macOS 12.3, iOS 15.4, *)
extension Product.PurchaseError: LocalizedError {
    /// https://github.com/theos/sdks/blob/4af4cb1d02b6b8c6046db70851f70ca186b8bd73/iPhoneOS16.5.sdk/System/Library/Frameworks/StoreKit.framework/Modules/StoreKit.swiftmodule/arm64-apple-ios.swiftinterface
    public var errorDescription: String? { "StoreKit says: \(self)." }
}
