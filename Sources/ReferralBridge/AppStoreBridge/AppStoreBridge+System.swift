#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation

extension AppStoreBridge {
    /// Creates a bridge that reads the general pasteboard, observes the app's activity, and saves its ledger in the
    /// app's user defaults.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - landingPages: The pages of your website that name the referrer in their address.
    public convenience init(appID: AppID, landingPages: [LandingPage] = []) {
        var scanner = ReferralScanner(appID: appID)
        scanner.landingPages = landingPages
        self.init(scanner: scanner)
    }

    /// Creates the same bridge with your own scanner, for example for signed links.
    ///
    /// ```swift
    /// let bridge = AppStoreBridge(scanner: ReferralScanner(appID: 1300230302, signers: [publicKey]))
    /// ```
    ///
    /// - Parameter scanner: Determines the app, the time that a tap counts, and the signers whose links count.
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
