#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import Foundation
public import UIKit

@available(iOSApplicationExtension, unavailable, message: "An app extension can't open another app.")
@available(macCatalystApplicationExtension, unavailable, message: "An app extension can't open another app.")
@available(visionOSApplicationExtension, unavailable, message: "An app extension can't open another app.")
extension UIApplication {
    /// Opens the other app with an address, such as a request, an answer or a receipt.
    ///
    /// The system may ask the user whether the app may open the other one. Add the other app's scheme to
    /// `LSApplicationQueriesSchemes` in the Info.plist: without it, an app that the user doesn't want to open can't be distinguished
    /// from one that isn't installed.
    ///
    /// - Parameter url: The address.
    /// - Throws: ``HandoffError/otherAppMissing`` if no app opens the address, or ``HandoffError/openingDeclined`` if the user has
    ///   declined.
    public func openOtherApp(_ url: URL) async throws(HandoffError) {
        // A universal link that no app opens would open in a browser, with all its data.
        let isUniversal = url.scheme == "https"
        if await open(url, options: isUniversal ? [.universalLinksOnly: true] : [:]) { return }
        // For a universal link, `canOpenURL` answers for the browser, and the system doesn't ask.
        throw !isUniversal && canOpenURL(url) ? .openingDeclined : .otherAppMissing
    }
}
#endif
