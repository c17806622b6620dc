/// What came of a string that a scan looked at: the first of these that applies.
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// It is no address of an App Store page, nor one on an additional host.
    case notALink

    /// It is the address of another app's page.
    case wrongApp

    /// It is the app's page, without a referral: there is no item `ed`, or an empty one.
    case noPayload

    /// What stands in `ed` is no referral.
    case malformedPayload

    /// The link is longer than 65,536 bytes or its payload longer than 8,192.
    case tooLong

    /// The tap lies further after now than the clock tolerance, 30 seconds unless it was set otherwise.
    case fromTheFuture

    /// The attribution window is over: at exactly five minutes a tap has expired.
    case expired

    /// The tap is not newer than the newest one that was reported before.
    case alreadyReported

    /// The newest tap of all that pass; of equals, the first in the list.
    case found

    /// It passes, but another one was found.
    case superseded
}

extension ReferralLinkError {
    /// The verdict on a string that falls to this rule.
    public var verdict: Verdict {
        switch self {
        case .page(.tooLong), .payload(.payloadTooLong): .tooLong
        case .page: .notALink
        case .wrongApp: .wrongApp
        case .noPayload: .noPayload
        case .payload: .malformedPayload
        }
    }
}
