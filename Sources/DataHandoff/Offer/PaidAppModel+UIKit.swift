#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import UIKit

extension PaidAppModel {
    /// Creates a model.
    ///
    /// Add the paid app's scheme to `LSApplicationQueriesSchemes` in the Info.plist. Without it, a user who declines to open the paid
    /// app counts as one who doesn't have it, and is shown its page in the App Store.
    ///
    /// - Parameters:
    ///   - page: The page of the paid app in the App Store.
    ///   - name: The name of the paid app.
    ///   - sender: The free app's sender.
    ///   - completion: Called when the user closes the view. Remove it from the screen.
    @available(iOSApplicationExtension, unavailable, message: "An app extension can't open another app.")
    @available(macCatalystApplicationExtension, unavailable, message: "An app extension can't open another app.")
    @available(visionOSApplicationExtension, unavailable, message: "An app extension can't open another app.")
    public convenience init(
        _ page: StorePage,
        name: String,
        sender: HandoffSender,
        completion: @escaping @MainActor () -> Void
    ) {
        self.init(
            page,
            name: name,
            sender: sender,
            open: { () throws(HandoffError) in try await UIApplication.shared.openOtherApp(sender.invitation()) },
            copy: { link in await Clipboard.copy(link.address) },
            completion: completion
        )
    }
}
#endif
