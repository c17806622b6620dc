#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralAppSupport
import SwiftUI

/// The shop's message to the user after an action.
@MainActor
struct ShopNews {
    let title: Text
    /// More about the message, such as what the user can do after an error.
    var message: Text?

    init(_ title: LocalizedStringKey, _ message: LocalizedStringKey? = nil, in bundle: Bundle) {
        self.title = Text(title, bundle: bundle)
        self.message = message.map { Text($0, bundle: bundle) }
    }

    /// A message about items with these titles.
    init(_ title: LocalizedStringKey, items: [String], in bundle: Bundle) {
        self.init(title, in: bundle)
        if !items.isEmpty { message = Text(own: items.joined(separator: ", ")) }
    }

    /// The message for an error. An unknown one has a title of the action that failed.
    init(of error: any Error, otherwise title: LocalizedStringKey, _ bundle: Bundle) {
        switch error {
        case UnlocksError.notVerified:
            self.init(
                "The answer of the store can't be verified. If you have paid, do not buy it again.",
                "Restore your purchases later.",
                in: bundle
            )
        case StoreError.unreachable:
            self.init("The store can't be reached.", "Check the connection to the internet, and try again.", in: bundle)
        case UnlocksError.notForSale(let state) where [.owned, .included, .paid].contains(state):
            self.init("You have this already.", "If something is missing, restore your purchases.", in: bundle)
        case UnlocksError.notForSale: self.init("This is not for sale now.", "Try again later.", in: bundle)
        case UnlocksError.storage, UnlocksError.newerJournal, UnlocksError.folderInUse, UnlocksError.folderIsShared,
            UnlocksError.notStarted:
            self.init(
                "Your purchases on this device can't be read yet.",
                "Check that the app is up to date and that the device has free storage, and try again.",
                in: bundle
            )
        default:
            self.init(title, in: bundle)
            // The descriptions of the library's own errors are only in English.
            guard !(error is UnlocksError), !(error is StoreError) else { return }
            message = (error as? any LocalizedError)?.errorDescription.map { Text(shown: $0) }
        }
    }
}
#endif
