#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Whose taps count when a bridge finds them on the pasteboard.
///
/// A policy doesn't apply to what a person pastes, or to a link that opens the app.
public enum AttributionPolicy: Sendable {
    /// Everybody's. A person who already has the app may be referred as well.
    case everyone

    /// Everybody's, at the first launch only: until the first check that finds no link or reads one.
    ///
    /// A read that is empty or denied, one that fails and one that goes on don't end the first launch. To an app that
    /// adds the library in an update, the first launch after the update is the first.
    case firstLaunch

    /// Those of people who first got the app after the tap. A reinstall and an update don't count.
    ///
    /// The function tells when the person first got the app. The bridge calls it once it has found a referral, and
    /// keeps the date in memory. If the function fails or takes too long, the bridge keeps the referral and asks again.
    /// On Apple's platforms `appStoreFirstDownload` asks the App Store.
    ///
    /// A date up to the clock tolerance before the tap counts too, since two clocks may differ.
    case firstDownload(date: @MainActor @Sendable () async throws -> Date)
}
