/// Why a string isn't a referral link, in the order in which the rules apply.
public enum ReferralLinkError: Error, Sendable, Equatable {
    /// The string isn't the address of an App Store page, or is too long.
    case invalidAddress(StorePageError)

    /// The address names an app other than the expected one.
    case wrongApp

    /// `ed` is missing or empty.
    case missingPayload

    /// `ed` doesn't contain a valid referral.
    case invalidPayload(ReferralError)

    // MARK: In a judgment

    /// The string isn't an address, but there is a link to the app in it. Pass the link alone. Only a paste finds it.
    case textPrecedesLink

    /// The string begins with a link to the app, and text follows it. Pass the link alone. Only a paste finds it.
    case textFollowsLink
}

extension ReferralLinkError: CustomStringConvertible {
    /// A sentence suitable for display. It doesn't contain any of the string.
    public var description: String {
        switch self {
        case .invalidAddress(let error): error.description
        case .wrongApp: "The address is that of another app."
        case .missingPayload: "The address carries no referral: it has no query item ed, or an empty one."
        case .invalidPayload(let error): error.description
        case .textPrecedesLink: "Text precedes the link. Pass the link alone."
        case .textFollowsLink: "Text follows the link. Pass the link alone."
        }
    }
}
