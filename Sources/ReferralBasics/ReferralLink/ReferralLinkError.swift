/// Why a string isn't a referral link, in the order in which the rules apply.
public enum ReferralLinkError: Error, Sendable, Equatable {
    /// The string isn't the address of an App Store page, or is too long.
    case invalidAddress(StorePageError)

    /// The address names an app other than the expected one.
    case wrongApp

    /// `ed` is missing or empty.
    case missingPayload

    /// The address is a landing page's, whose item for the referrer, or the part of its path, is missing or empty.
    case missingReferrer

    /// The address was visibly cut, or has grown, in the text that the user pasted, so its referrer may be another one.
    case cutAddress

    /// `ed` doesn't contain a valid referral.
    case invalidPayload(ReferralError)
}

extension ReferralLinkError: CustomStringConvertible {
    /// A sentence suitable for display. It doesn't contain any of the string.
    public var description: String {
        switch self {
        case .invalidAddress(let error): error.description
        case .wrongApp: "The address is that of another app."
        case .missingPayload: "The address carries no referral: it has no query item ed, or an empty one."
        case .missingReferrer: "The address is the landing page's, but it names no referrer."
        case .cutAddress: "The address was cut, or something was added to it. Copy the whole address."
        case .invalidPayload(let error): error.description
        }
    }
}
