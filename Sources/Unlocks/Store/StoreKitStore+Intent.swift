#if canImport(StoreKit) && !os(visionOS)
import StoreKit

@available(iOS 16.4, macCatalyst 16.4, macOS 14.4, *)
extension PurchaseIntent {
    /// The offer that the user chose in the App Store, as an option of the purchase. Without it, they would pay the full price.
    var option: Product.PurchaseOption? {
        guard #available(iOS 18, macCatalyst 18, macOS 15, *) else { return nil }
        return offer.map { .winBackOffer($0) }
    }
}
#endif
