#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

/// The shop's message to the user after an action.
@MainActor
struct ShopNews {
    let title: Text
    /// More about the message, such as what the user can do after an error.
    var message: Text?

    private init(_ title: LocalizedStringKey, _ message: LocalizedStringKey? = nil, in bundle: Bundle) {
        self.title = Text(title, bundle: bundle)
        self.message = message.map { Text($0, bundle: bundle) }
    }

    /// The item with this title was bought or taken. It is open, or is being delivered.
    static func bought(_ title: String, _ bundle: Bundle) -> ShopNews {
        var news = ShopNews("Thank you!", in: bundle)
        news.message = Text(own: title)
        return news
    }

    /// The subscription changes to the plan with this title when the present one's period ends.
    static func scheduled(_ title: String, _ bundle: Bundle) -> ShopNews {
        ShopNews("Your plan changes when the current period ends.", "From then on: \(own: title)", in: bundle)
    }

    /// Purchases were restored, of the items with these titles.
    static func found(_ titles: [String], _ bundle: Bundle) -> ShopNews {
        var news = ShopNews("Your purchases are back.", in: bundle)
        if !titles.isEmpty { news.message = Text(own: titles.joined(separator: ", ")) }
        return news
    }

    /// All purchases were already on this device.
    static func nothingNew(_ bundle: Bundle) -> ShopNews {
        ShopNews("All your purchases are here already.", in: bundle)
    }

    /// The store has no purchases of this user.
    static func nothingFound(_ bundle: Bundle) -> ShopNews {
        ShopNews(
            "No purchases were found.",
            "If you bought something with another Apple Account, sign in with that one and try again.",
            in: bundle
        )
    }

    /// The message for an error of a purchase.
    init(notBought error: any Error, _ bundle: Bundle) {
        if let news = ShopNews(ofBoth: error, bundle) {
            self = news
        } else if case UnlocksError.notForSale(let state) = error {
            self =
                [.owned, .included, .paid].contains(state)
                ? ShopNews("You have this already.", "If something is missing, restore your purchases.", in: bundle)
                : ShopNews("This is not for sale now.", "Try again later.", in: bundle)
        } else {
            self.init("The purchase failed. Try again later.", in: bundle)
            // The descriptions of the library's own errors are only in English.
            guard !(error is UnlocksError), !(error is StoreError) else { return }
            message = (error as? any LocalizedError)?.errorDescription.map { Text(shown: $0) }
        }
    }

    /// The message for an error of a restoration.
    init(notRestored error: any Error, _ bundle: Bundle) {
        if let news = ShopNews(ofBoth: error, bundle) {
            self = news
        } else if error is UnlocksError {
            self.init(
                "Your purchases on this device can't be read yet.",
                "Check that the app is up to date and that the device has free storage, and try again.",
                in: bundle
            )
        } else {
            // The system may report the same error to users who don't sign in and to those who are offline. See
            // <https://developer.apple.com/forums/thread/692177>.
            self.init(
                "Not everything could be restored. You have to be online, and signed in to the App Store.",
                in: bundle
            )
        }
    }

    private init?(ofBoth error: any Error, _ bundle: Bundle) {
        switch error {
        case UnlocksError.notVerified:
            self.init(
                "The answer of the store can't be verified. If you have paid, do not buy it again.",
                "Restore your purchases later.",
                in: bundle
            )
        case StoreError.unreachable:
            self.init("The store can't be reached.", "Check the connection to the internet, and try again.", in: bundle)
        default: return nil
        }
    }
}
#endif
