/// The users whose taps count if a bridge finds them on the pasteboard.
///
/// A policy doesn't apply to strings that the user pastes, or to a link that opens the app.
public enum AttributionPolicy: Sendable {
    /// Every user's taps count, at each activation of the app, including those of users who already had the app.
    ///
    /// The price is that the system asks each user who has copied any address elsewhere, when they return to the app.
    case everyone

    /// Every user's taps count, but only at the first launch, which lasts until the first check that finds no link or reads one. This
    /// is the default.
    ///
    /// A read that is empty, denied, failed or unfinished doesn't end the first launch. If an update adds the library
    /// to an app, the first launch after the update counts.
    case firstLaunch
}
