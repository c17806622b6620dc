/// Why a string is no referral link, in the order in which the rules are looked at.
public enum ReferralLinkError: Error, Sendable, Hashable {
    /// The address is not that of an App Store page, or is too long.
    case page(StorePageError)

    /// The address names another app than the one asked for.
    case wrongApp

    /// There is no item `ed`, or it is empty.
    case noPayload

    /// What stands in `ed` is no referral.
    case payload(ReferralError)
}

extension ReferralLinkError: CustomStringConvertible {
    /// A sentence fit to show, with nothing of the string in it.
    public var description: String {
        switch self {
        case .page(let error): error.description
        case .wrongApp: "The address is that of another app."
        case .noPayload: "The address carries no referral: it has no query item ed, or an empty one."
        case .payload(let error): error.description
        }
    }
}
