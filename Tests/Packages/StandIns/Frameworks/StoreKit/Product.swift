#if canImport(UIKit)
public import UIKit
#endif

/// https://developer.apple.com/documentation/storekit/product
@available(macOS 12.0, iOS 15.0, *)
public struct Product: Identifiable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/storekit/product/purchaseoption
    public struct PurchaseOption: Hashable, Sendable {}

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
        case invalidQuantity
        case productUnavailable
        case purchaseNotAllowed
        case ineligibleForOffer
        case invalidOfferIdentifier
        case invalidOfferPrice
        case invalidOfferSignature
        case missingOfferParameters
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

        package init(unit: Unit, value: Int) { (self.unit, self.value) = (unit, value) }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo
    public struct SubscriptionInfo: Hashable, Sendable {
        public let introductoryOffer: Product.SubscriptionOffer?
        public let subscriptionPeriod: Product.SubscriptionPeriod
        private let isEligible: Bool

        public var isEligibleForIntroOffer: Bool { get async { isEligible } }

        // MARK: For tests

        package init(
            subscriptionPeriod: SubscriptionPeriod,
            introductoryOffer: SubscriptionOffer? = nil,
            isEligible: Bool = true
        ) {
            (self.subscriptionPeriod, self.introductoryOffer) = (subscriptionPeriod, introductoryOffer)
            self.isEligible = isEligible
        }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer
    public struct SubscriptionOffer: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
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
            (self.displayPrice, self.period) = (displayPrice, period)
            (self.periodCount, self.paymentMode) = (periodCount, paymentMode)
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
        try await Self.onPurchase(self)
    }

    // MARK: For tests

    /// What the store answers when it is asked for products.
    package nonisolated(unsafe) static var answer: @Sendable ([String]) async throws -> [Product] = { _ in [] }

    /// The result of a purchase.
    @MainActor package static var onPurchase: (Product) async throws -> PurchaseResult = { _ in .userCancelled }

    package init(
        id: String,
        displayName: String = "",
        displayPrice: String,
        period: SubscriptionPeriod? = nil,
        introductoryOffer: SubscriptionOffer? = nil,
        isEligible: Bool = true
    ) {
        (self.id, self.displayName, self.displayPrice) = (id, displayName, displayPrice)
        subscription = period.map {
            SubscriptionInfo(subscriptionPeriod: $0, introductoryOffer: introductoryOffer, isEligible: isEligible)
        }
    }
}

@available(macOS 12.3, iOS 15.4, *)
extension Product.PurchaseError: LocalizedError {
    /// https://github.com/theos/sdks/blob/4af4cb1d02b6b8c6046db70851f70ca186b8bd73/iPhoneOS16.5.sdk/System/Library/Frameworks/StoreKit.framework/Modules/StoreKit.swiftmodule/arm64-apple-ios.swiftinterface
    public var errorDescription: String? { "StoreKit says: \(self)." }
}

#if canImport(UIKit)
@available(iOS 17.0, *)
extension Product {
    /// https://developer.apple.com/documentation/storekit/product/purchase(confirmin:options:)-6dj6y
    @MainActor
    public func purchase(
        confirmIn scene: some UIScene,
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await Self.onPurchase(self)
    }
}
#endif
