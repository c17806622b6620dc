public import ReferralFoundation

/// The users whose taps count if a bridge finds them on the pasteboard.
///
/// A policy doesn't apply to strings that the user pastes, or to a link that opens the app.
public enum AttributionPolicy: Sendable {
    /// Every user's taps count, at each activation of the app, including those of users who already had the app.
    ///
    /// The price is that the system asks each user who has copied any address elsewhere, when they return to the app. With
    /// ``PasteboardProbe/copiedByAPage``, it asks only those who have copied one with a web page's own button.
    case everyone

    /// Every user's taps count, but only at the first launch, which lasts until the first check that finds no link or reads one. This
    /// is the default.
    ///
    /// A read that is empty, denied, failed or unfinished doesn't end the first launch. If an update adds the library
    /// to an app, the first launch after the update counts.
    case firstLaunch

    /// Only taps of users who first got the app after the tap count. A reinstall or an update isn't a first download.
    ///
    /// The function returns the date of the user's first download. The bridge calls it after it has found a referral,
    /// and keeps the date in memory. If the function fails or takes too long, the bridge keeps the referral and asks
    /// again. On Apple's platforms, `appStoreFirstDownload` asks the App Store.
    ///
    /// A date before the tap also counts if it is within the clock tolerance, since the two clocks may differ.
    case firstDownload(date: @MainActor @Sendable () async throws -> Date)
}
