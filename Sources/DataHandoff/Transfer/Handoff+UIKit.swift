#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import Foundation
public import UIKit

extension HandoffReceiver {
    /// Reads the address or file of a scene's context, with the app that the system names.
    ///
    /// - Parameter context: A context from `scene(_:openURLContexts:)`, or at launch from
    ///   `scene(_:willConnectTo:options:)`.
    /// - Returns: The message. The app's data isn't changed.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    @MainActor
    public func receive(_ context: UIOpenURLContext) async throws(HandoffError) -> Arrival {
        try await openInScope(context.url, from: context.options.sourceApplication)
    }
}

extension HandoffSender {
    /// Reads the address or file of a scene's context, with the app that the system names.
    ///
    /// - Parameter context: A context from `scene(_:openURLContexts:)`, or at launch from
    ///   `scene(_:willConnectTo:options:)`.
    /// - Returns: The message. Nothing is sent until the app sends the delivery.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    @MainActor
    public func receive(_ context: UIOpenURLContext) async throws(HandoffError) -> Arrival {
        try await receive(context.url, from: context.options.sourceApplication)
    }
}

extension UIApplication {
    /// Opens the other app with an address, such as a request, an answer or a receipt.
    ///
    /// - Throws: ``HandoffError/otherAppMissing`` if no app opens the address.
    public func openOtherApp(_ url: URL) async throws(HandoffError) {
        // The answer of `canOpenURL` depends on the schemes in the Info.plist. A universal link that no app opens would
        // open in a browser, with all its data.
        let options: [OpenExternalURLOptionsKey: Any] = url.scheme == "https" ? [.universalLinksOnly: true] : [:]
        guard await open(url, options: options) else { throw .otherAppMissing }
    }
}
#endif
