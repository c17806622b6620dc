#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation

extension AppStoreBridge {
    /// Creates a bridge that reads the general pasteboard, follows the app's activity, and remembers in the app's user
    /// defaults.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - window: How long a tap counts.
    ///   - additionalHosts: Hosts besides the App Store's whose addresses may carry a referral, such as `example.com`.
    public convenience init(appID: AppID, window: AttributionWindow = .standard, additionalHosts: [String] = []) {
        self.init(scanner: ReferralScanner(appID: appID, window: window, additionalHosts: additionalHosts))
    }

    /// Creates such a bridge with a scanner of the app's own, as for signed links.
    ///
    /// ```swift
    /// let bridge = AppStoreBridge(scanner: try ReferralScanner(appID: 1300230302, signers: [publicKey]))
    /// ```
    ///
    /// - Parameter scanner: Which app's referrals the bridge looks for, how long a tap counts, and whose links count.
    public convenience init(scanner: ReferralScanner) {
        self.init(
            scanner: scanner,
            pasteboard: SystemPasteboard(),
            ledger: UserDefaultsLedger(),
            activity: SystemActivity()
        )
    }
}
#endif
