#if canImport(StoreKit)
import Foundation
import StoreKit

// MARK: - Transactions

extension VerificationResult {
    /// The signed value, verified or not.
    var signed: SignedType {
        switch self {
        case .verified(let signed), .unverified(let signed, _): signed
        }
    }
}

extension StoreTransaction {
    init(_ transaction: Transaction) {
        // After an upgrade, the new subscription of the group is the one that counts.
        let end = transaction.isUpgraded ? transaction.signedDate : .distantFuture
        let isFirst = transaction.originalPurchaseDate == transaction.purchaseDate
        self.init(
            id: String(transaction.id),
            originalID: String(transaction.originalID),
            productID: ProductID(transaction.productID),
            productKind: ProductKind(transaction.productType),
            quantity: transaction.purchasedQuantity,
            app: transaction.appBundleID,
            environment: transaction.storeEnvironment,
            isFamilyShared: transaction.ownershipType == .familyShared,
            purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: isFirst ? nil : transaction.originalPurchaseDate,
            signedDate: transaction.signedDate,
            expirationDate: transaction.expirationDate.map { min($0, end) },
            isRevoked: transaction.revocationDate != nil && !transaction.isPartlyRefunded,
            price: transaction.price,
            currency: transaction.storeCurrency
        )
    }
}

private extension StoreTransaction.ProductKind {
    init?(_ type: Product.ProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewable: self = .nonRenewing
        case .autoRenewable: self = .subscription
        default: return nil
        }
    }
}

private extension Transaction {
    /// Whether only a part of the price was refunded, so that the user keeps what was bought; of a subscription, it is the rest of its
    /// period. The signed text has thousandths of a percent (*App Store Server API, revocationPercentage*). Up to 100, it might be
    /// percent after all, and counts as a whole refund.
    var isPartlyRefunded: Bool {
        let refund = try? JSONDecoder().decode(Refund.self, from: jsonRepresentation)
        return productType != .autoRenewable && (100.1..<100_000).contains(refund?.revocationPercentage ?? 0)
    }

    private struct Refund: Decodable { let revocationPercentage: Double }

    var storeCurrency: String? {
        #if !os(visionOS)
        guard #available(iOS 16, macCatalyst 16, macOS 13, *) else { return currencyCode }
        #endif
        return currency?.identifier
    }

    var storeEnvironment: StoreEnvironment {
        #if !os(visionOS)
        guard #available(iOS 16, macCatalyst 16, macOS 13, *) else {
            return StoreEnvironment(name: environmentStringRepresentation)
        }
        #endif
        return StoreEnvironment(name: environment.rawValue)
    }
}

private extension StoreEnvironment {
    /// An unknown environment isn't production, so it counts as the sandbox.
    init(name: String) {
        switch name {
        case "Production": self = .production
        case "Xcode": self = .xcode
        default: self = .sandbox
        }
    }
}

// MARK: - Products

extension StoreProduct {
    /// Reads a product. StoreKit determines whether the user may have the introduction, except for a change from another plan of
    /// the group: that has none, whether or not the user has had one
    /// (<https://github.com/superwall/Superwall-iOS/issues/480>).
    init(_ product: Product) async {
        let subscription = product.subscription
        var introduction: Introduction?
        if let subscription, let offer = subscription.introductoryOffer, await subscription.isEligibleForIntroOffer,
            await !subscription.isInGroup
        {
            introduction = Introduction(offer)
        }
        self.init(
            id: ProductID(product.id),
            price: product.displayPrice,
            period: (subscription?.subscriptionPeriod).flatMap(SubscriptionPeriod.init),
            title: product.displayName.isEmpty ? nil : product.displayName,
            introduction: introduction,
            group: subscription?.subscriptionGroupID
        )
    }
}

private extension Product.SubscriptionInfo {
    /// Whether the user has a plan of the group.
    var isInGroup: Bool {
        get async {
            let states: Set<RenewalState> = [.subscribed, .inGracePeriod, .inBillingRetryPeriod]
            return (try? await status)?.contains { states.contains($0.state) } ?? false
        }
    }
}

private extension StoreProduct.Introduction {
    init?(_ offer: Product.SubscriptionOffer) {
        guard let period = SubscriptionPeriod(offer.period) else { return nil }
        let isFree = offer.paymentMode == .freeTrial
        self.init(price: isFree ? nil : offer.displayPrice, period: period, count: offer.periodCount)
    }
}

private extension SubscriptionPeriod {
    init?(_ period: Product.SubscriptionPeriod) {
        // A dictionary instead of a switch, which would depend on whether StoreKit's enumeration is frozen.
        let units: [Product.SubscriptionPeriod.Unit: Unit] = [.day: .day, .week: .week, .month: .month, .year: .year]
        guard let unit = units[period.unit] else { return nil }
        self.init(unit, count: period.value)
    }
}

// MARK: - The app's own purchase

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
extension AppPurchase {
    init(_ transaction: AppTransaction, isVerified: Bool) {
        let date = transaction.originalPurchaseDate
        self.init(
            // Transactions that were signed before April 2025 may have no identifier. The date of the first purchase
            // never changes.
            id: transaction.appTransactionID.isEmpty
                ? "purchased-\(Int(date.timeIntervalSince1970))" : transaction.appTransactionID,
            isVerified: isVerified,
            isRevoked: transaction.isRevoked,
            originalPlatform: CatalogItem.Platform(rawValue: transaction.originalPlatformStringRepresentation),
            originalVersion: transaction.originalAppVersion,
            originalPurchase: date,
            environment: StoreEnvironment(name: transaction.environment.rawValue),
            signedDate: transaction.signedDate
        )
    }
}

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
private extension AppTransaction {
    /// Whether the signed text contains a revocation. The property for it, `revocationDate`, needs Xcode 27.
    var isRevoked: Bool { (try? JSONDecoder().decode(Revocation.self, from: jsonRepresentation))?.isThere ?? false }

    private struct Revocation: Decodable {
        let isThere: Bool

        private enum CodingKeys: CodingKey { case revocationDate }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isThere = try container.contains(.revocationDate) && !container.decodeNil(forKey: .revocationDate)
        }
    }
}
#endif
