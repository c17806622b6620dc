#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import ReferralBridge
import UIKit

extension PaidAppModel {
    /// Creates a model.
    ///
    /// - Parameters:
    ///   - page: The page of the paid app in the App Store.
    ///   - name: The name of the paid app.
    ///   - sender: The free app's sender.
    ///   - completion: Called when the user closes the view. Remove it from the screen.
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
            copy: { link in await SystemPasteboard().copy(link) },
            completion: completion
        )
    }
}
#endif
