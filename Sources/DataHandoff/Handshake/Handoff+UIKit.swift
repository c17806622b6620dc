#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import Foundation
public import UIKit

extension HandoffReceiver {
    /// Takes what a scene was opened with, from the app that the system names.
    ///
    /// - Parameter context: One of those that `scene(_:openURLContexts:)` gets, and `scene(_:willConnectTo:options:)` at launch.
    /// - Returns: What it brought. Nothing is written where the app's data is.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    @MainActor
    public func open(_ context: UIOpenURLContext) async throws(HandoffError) -> Arrival {
        try await openInScope(context.url, from: context.options.sourceApplication)
    }
}

extension HandoffSender {
    /// Takes what a scene was opened with, from the app that the system names.
    ///
    /// - Parameter context: One of those that `scene(_:openURLContexts:)` gets, and `scene(_:willConnectTo:options:)` at launch.
    /// - Returns: What it brought. Nothing is sent until the app sends the delivery.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    @MainActor
    public func open(_ context: UIOpenURLContext) async throws(HandoffError) -> Arrival {
        try await open(context.url, from: context.options.sourceApplication)
    }
}

extension UIApplication {
    /// Opens the other app with an address, such as a request, an answer or a receipt.
    ///
    /// - Throws: ``HandoffError/otherAppMissing`` if no app opens the address.
    public func openOtherApp(_ url: URL) async throws(HandoffError) {
        // What `canOpenURL` answers depends on the schemes in the Info.plist. A universal link that no app opens would open in a
        // browser, with all that it carries.
        let options: [OpenExternalURLOptionsKey: Any] = url.scheme == "https" ? [.universalLinksOnly: true] : [:]
        guard await open(url, options: options) else { throw .otherAppMissing }
    }
}
#endif
