#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// What the shop tells the person once they have tapped.
enum ShopNews {
    /// They have what they bought elsewhere.
    case restored
    /// The store wasn't asked.
    case notRestored
    /// The store can't be reached.
    case offline
    /// They may have paid, and nothing is open.
    case notVerified
    /// Nothing was bought, with the system's reason in the person's language, if it gives one.
    case failed(String?)

    /// What an error of a purchase means to the person.
    init(_ error: any Error) {
        self =
            switch error {
            case UnlocksError.notVerified: .notVerified
            case StoreError.unreachable: .offline
            case let error as any LocalizedError: .failed(error.errorDescription)
            default: .failed(nil)
            }
    }

    @MainActor func title(_ bundle: Bundle) -> Text {
        switch self {
        case .restored: Text("Your purchases are up to date.", bundle: bundle)
        case .notRestored:
            Text("Nothing could be restored. You have to be online, and signed in to the App Store.", bundle: bundle)
        case .offline: Text("The store cannot be reached.", bundle: bundle)
        case .notVerified:
            Text("The answer of the store cannot be verified. If you have paid, do not buy it again.", bundle: bundle)
        case .failed: Text("The purchase failed. Try again later.", bundle: bundle)
        }
    }

    var reason: String? { if case .failed(let reason) = self { reason } else { nil } }
}
#endif
