#if canImport(StoreKit)
import Foundation
import StoreKit

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
extension InstallPolicy {
    /// At every launch, but only for people whose first download of the app came after the tap, by what the App Store
    /// signed: no reinstall and no update counts.
    ///
    /// In Apple's sandbox `originalPurchaseDate` is always 2013-08-01, so that nobody is fresh there.
    ///
    /// Never seen on a device. A receipt that does not verify, or a store that does not answer, uses no tap up.
    public static var freshInstallOnly: InstallPolicy {
        .firstDownload {
            switch try await AppTransaction.shared {
            case .verified(let transaction): transaction.originalPurchaseDate
            case .unverified(_, let error): throw error
            }
        }
    }
}
#endif
