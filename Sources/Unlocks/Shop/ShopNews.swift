#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

/// The shop's message to the user after a tap.
enum ShopNews {
    /// The item with this title was bought or taken, and is open, or is being delivered.
    case bought(String, isOpen: Bool, isFree: Bool)
    /// The subscription changes to the plan with this title when the present one's period ends.
    case scheduled(String)
    /// Purchases with these titles were restored.
    case found([String])
    /// The app's own purchase was restored, and the shop has no item for what it opens.
    case foundApp
    /// All purchases were already on this device.
    case nothingNew
    /// The store has no purchases of this user.
    case nothingFound
    /// The store wasn't asked, since the user didn't sign in, or is offline.
    case notRestored
    /// The journal can't be read.
    case notOpened
    /// The store can't be reached.
    case offline
    /// The user may have paid, but the store's answer can't be used, so nothing is open.
    case notVerified
    /// The item isn't for sale: it is in this state.
    case notForSale(ShopOffer.State)
    /// Nothing was bought, with the system's reason in the user's language, if it gives one.
    case failed(String?)

    /// Creates the message for a purchase error.
    init(_ error: any Error) {
        self =
            switch error {
            case UnlocksError.notVerified: .notVerified
            case UnlocksError.notForSale(let state): .notForSale(state)
            case StoreError.unreachable: .offline
            // Their descriptions are only in English.
            case is UnlocksError, is StoreError: .failed(nil)
            case let error as any LocalizedError: .failed(error.errorDescription)
            default: .failed(nil)
            }
    }

    /// Creates the message for an error of a restoration that has brought nothing.
    init(notRestored error: any Error) {
        self =
            switch error {
            case UnlocksError.notVerified: .notVerified
            case is UnlocksError: .notOpened
            case StoreError.unreachable: .offline
            // The system may report the same error to users who don't sign in and to those who are offline. See
            // <https://developer.apple.com/forums/thread/692177>.
            default: .notRestored
            }
    }

    @MainActor func title(_ bundle: Bundle) -> Text {
        switch self {
        case .bought: Text("Thank you!", bundle: bundle)
        case .scheduled: Text("Your plan changes when the current period ends.", bundle: bundle)
        case .found, .foundApp: Text("Your purchases are back.", bundle: bundle)
        case .nothingNew: Text("All your purchases are here already.", bundle: bundle)
        case .nothingFound: Text("No purchases were found.", bundle: bundle)
        case .notRestored:
            Text("Nothing could be restored. You have to be online, and signed in to the App Store.", bundle: bundle)
        case .notOpened: ShopOffer.Doubt.notOpened.reason(bundle)
        case .offline: Text("The store can't be reached.", bundle: bundle)
        case .notVerified:
            Text("The answer of the store can't be verified. If you have paid, do not buy it again.", bundle: bundle)
        case .notForSale(.paid): Text("This is yours. It is being delivered.", bundle: bundle)
        case .notForSale(.owned), .notForSale(.included): Text("You have this already.", bundle: bundle)
        case .notForSale(.checking): Text("This can't be bought yet. Try again in a moment.", bundle: bundle)
        case .notForSale(.unavailable(.notAllowed)):
            Text("Purchases are not allowed on this device.", bundle: bundle)
        case .notForSale: Text("This is not for sale now.", bundle: bundle)
        case .failed: Text("The purchase failed. Try again later.", bundle: bundle)
        }
    }

    /// More about the message, such as what the user can do after an error. The titles of some errors say that already.
    @MainActor func message(_ bundle: Bundle) -> Text? {
        switch self {
        case .bought(let title, isOpen: true, isFree: _): Text("Now available: \(own: title)", bundle: bundle)
        case .bought(let title, isOpen: _, isFree: true): Text("Being delivered: \(own: title)…", bundle: bundle)
        case .bought(let title, isOpen: _, isFree: _): Text("Paid, and being delivered: \(own: title)", bundle: bundle)
        case .scheduled(let title): Text("From then on: \(own: title)", bundle: bundle)
        case .found(let titles) where !titles.isEmpty: Text(own: titles.joined(separator: ", "))
        case .foundApp: Text("You bought the app before it became free.", bundle: bundle)
        case .nothingFound:
            Text(
                "If you bought something with another Apple Account, sign in with that one and try again.",
                bundle: bundle
            )
        case .notOpened:
            Text(
                "Check that the app is up to date and that the device has free storage, and try again.",
                bundle: bundle
            )
        case .offline: Text("Check the connection to the internet, and try again.", bundle: bundle)
        case .notVerified: Text("Restore your purchases later.", bundle: bundle)
        case .notForSale(.paid): Text("Stay online until it is here.", bundle: bundle)
        case .notForSale(.owned), .notForSale(.included):
            Text("If something is missing, restore your purchases.", bundle: bundle)
        case .notForSale(.checking(let doubt)): doubt.reason(bundle)
        case .notForSale(.updateFirst(let minimum)):
            Text("Update the app first (version \(own: minimum))", bundle: bundle)
        case .notForSale(.unavailable(.notAllowed)):
            Text("You can allow them in the settings, in Screen Time.", bundle: bundle)
        case .notForSale: Text("Try again later.", bundle: bundle)
        case .failed(let reason): reason.map { Text(shown: $0) }
        case .found, .nothingNew, .notRestored: nil
        }
    }
}
#endif
