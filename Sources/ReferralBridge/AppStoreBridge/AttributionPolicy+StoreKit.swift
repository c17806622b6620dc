#if canImport(StoreKit)
import Foundation
import StoreKit

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
extension AttributionPolicy {
    /// Only taps of users who first downloaded the app after the tap count, according to the App Store's signed
    /// transaction.
    ///
    /// In Apple's sandbox, `originalPurchaseDate` is always 2013-08-01, so no tap counts there. If the transaction
    /// isn't verified or the store doesn't answer, the bridge keeps the referral and asks again.
    public static var appStoreFirstDownload: AttributionPolicy {
        .firstDownload {
            switch try await AppTransaction.sharedOnce() {
            case .verified(let transaction): transaction.originalPurchaseDate
            case .unverified(_, let error): throw error
            }
        }
    }
}
#endif
