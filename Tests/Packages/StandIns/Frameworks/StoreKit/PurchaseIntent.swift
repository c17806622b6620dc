/// https://developer.apple.com/documentation/storekit/purchaseintent
@available(macOS 14.4, iOS 16.4, *)
@available(visionOS, unavailable)
public struct PurchaseIntent: Equatable, Sendable {
    /// https://developer.apple.com/documentation/storekit/purchaseintent/purchaseintents
    public typealias PurchaseIntents = AsyncStream<PurchaseIntent>

    public let product: Product
    private let chosen: Product.SubscriptionOffer?

    public var id: Product.ID { product.id }

    /// https://developer.apple.com/documentation/storekit/purchaseintent/offer
    @available(macOS 15.0, iOS 18.0, *)
    @available(visionOS, unavailable)
    public var offer: Product.SubscriptionOffer? { chosen }

    public static var intents: PurchaseIntent.PurchaseIntents { feed.listen() }

    // MARK: For tests

    package static let feed = Feed<PurchaseIntent>()

    package init(product: Product, offer: Product.SubscriptionOffer? = nil) {
        self.product = product
        chosen = offer
    }
}

/// On a system without it, the mere use of the conformance ends the app: <https://github.com/RevenueCat/purchases-ios/issues/4963>.
@available(macOS 15.0, iOS 18.0, *)
@available(visionOS, unavailable)
extension PurchaseIntent: Identifiable {}
