#if canImport(StoreKit)
public import Foundation
import StoreKit

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
extension InviteCenter {
    /// The moment when the user first got the app, from the App Store's signed transaction, for the center's `purchaseDate`.
    ///
    /// According to reports, the system may ask the user to sign in to the App Store.
    ///
    /// - Returns: The moment; `nil` outside of production, where Apple reports 2013-08-01 for everybody, and if the
    ///   transaction isn't verified or the store doesn't answer.
    public static func appStorePurchaseDate() async -> Date? {
        guard case .verified(let transaction)? = try? await AppTransaction.sharedOnce(),
            transaction.environment == .production
        else { return nil }
        return transaction.originalPurchaseDate
    }
}
#endif
