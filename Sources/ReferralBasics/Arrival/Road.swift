/// The way by which a referral reached the app.
public enum Road: String, Sendable, Hashable, CaseIterable, Codable {
    /// The bridge found the link on the pasteboard.
    case pasteboard

    /// The user pasted the address.
    case pasteButton

    /// The address opened the app: a universal link, or an address with the app's own scheme.
    case opened

    /// The address opened the App Clip, which left it for the app.
    case appClip

    /// The user typed the referrer's code, as `InviteCodeField` reports it.
    case typed
}
