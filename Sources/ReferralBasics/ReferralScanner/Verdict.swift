/// The result of judging a string: the first of these that applies.
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The string isn't the address of an App Store page or an address on an additional host.
    case notALink

    /// The string is the address of another app's page.
    case wrongApp

    /// The string is the address of the app's page without a referral: `ed` is missing or empty. Or it is that of a landing page, and
    /// names no referrer.
    case noPayload

    /// `ed` doesn't contain a valid referral, or a pasted address was cut.
    case malformedPayload

    /// The link is longer than 65,536 bytes, or its payload is longer than 8,192.
    case tooLong

    /// The referral isn't signed: `sig` is missing or empty. Only a scanner with signers uses this verdict.
    case notSigned

    /// No signer's key confirms the signature for this app, referrer and parameters, or `sig` or `until` is malformed.
    case wrongSignature

    /// The tap was at or after the end of its campaign, the signed parameter `until`.
    case campaignOver

    /// The tap is in the future by more than the clock tolerance, 30 seconds by default.
    case fromTheFuture

    /// The attribution window, 5 minutes by default, has ended. A tap of exactly this age has expired.
    case expired

    /// This tap or a newer one was reported before.
    case alreadyReported

    /// The tap is the newest one that counts; on a tie, the first in the list.
    case found

    /// The tap counts, but a different one was found.
    case superseded
}

extension ReferralLinkError {
    /// The verdict on a string that violates this rule.
    package var verdict: Verdict {
        switch self {
        case .invalidAddress(.tooLong), .invalidPayload(.payloadTooLong): .tooLong
        case .invalidAddress: .notALink
        case .wrongApp: .wrongApp
        case .missingPayload, .missingReferrer: .noPayload
        case .cutAddress, .invalidPayload: .malformedPayload
        }
    }
}
