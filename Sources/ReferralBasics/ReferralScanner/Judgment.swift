public import ReferralFoundation

/// The verdict on a string, and the facts behind it.
public struct Judgment: Sendable, Equatable {
    /// The verdict.
    public private(set) var verdict: Verdict

    /// The rule that the string violates; `nil` if there is an arrival.
    public let error: ReferralLinkError?

    /// What the string says, whatever the verdict on it; `nil` if it doesn't contain a referral.
    public let arrival: Arrival?

    /// The arrival's referral.
    public var referral: Referral? { arrival?.referral }

    /// The link, whatever the verdict on it; `nil` if the string isn't a link. The address of a landing page isn't one.
    public let link: ReferralLink?

    /// The age of the tap in the payload's unit, without rounding.
    package let ageMilliseconds: Double?

    /// The window by which a link was judged. A landing page's address has none.
    private let window: AttributionWindow?

    /// The age of the tap, in seconds; negative for a tap in the future, `nil` if there is no referral.
    public var age: TimeInterval? { ageMilliseconds.map { $0 / 1_000 } }
}

extension Judgment {
    package init(_ error: ReferralLinkError) {
        verdict = error.verdict
        self.error = error
        (arrival, link, ageMilliseconds, window) = (nil, nil, nil, nil)
    }

    /// A verdict on what a link says, or, without a window, the address of a landing page.
    package init(
        _ arrival: Arrival,
        _ verdict: Verdict,
        _ link: ReferralLink? = nil,
        now: Timestamp,
        window: AttributionWindow? = nil
    ) {
        self.verdict = verdict
        self.arrival = arrival
        self.link = link
        self.window = window
        ageMilliseconds = now.milliseconds - arrival.timestamp.milliseconds
        error = nil
    }

    /// Replaces the verdict on an arrival that otherwise counts.
    package mutating func replace(with verdict: Verdict) { if self.verdict == .found { self.verdict = verdict } }
}

extension Judgment: CustomStringConvertible {
    /// The verdict and its reason.
    public var description: String { verdict.rawValue + ": " + reason }

    /// The reason for the verdict, as a sentence. It doesn't contain any of the string.
    public var reason: String {
        if let error { return error.description }
        let age = ageMilliseconds ?? 0
        switch (verdict, window) {
        case (.notSigned, _): return "The referral is not signed: it has no sig, or an empty one."
        case (.wrongSignature, _):
            return
                "No signer made the signature (sig) for this app, referrer and parameters, or sig or until is malformed."
        case (.campaignOver, _): return "The tap came at or after the end of its campaign (until)."
        case (.superseded, _): return "Another tap was found that is newer, or as new and in front of this one."
        case (.found, nil): return "The address of the landing page names the referrer."
        case (.alreadyReported, nil):
            return
                "The same address was opened less than 2 seconds earlier or later, or this opening was reported before."
        case (.alreadyReported, _): return "This tap or a newer one was reported before."
        case (.expired, nil): return "The address was opened in the App Clip 30 days ago or earlier."
        case (.expired, let window?):
            let duration = Self.span(window.durationMilliseconds)
            return "The tap was \(Self.span(age)) ago; it counts for less than \(duration)."
        case (.fromTheFuture, let window?):
            let tolerance = Self.span(window.toleranceMilliseconds)
            return "The tap lies \(Self.span(age)) after now; the clock tolerance is \(tolerance)."
        default: return age < 0 ? "The tap lies \(Self.span(age)) after now." : "The tap was \(Self.span(age)) ago."
        }
    }

    /// A readable time span. It is rounded so that a tap never seems to be on the other side of a limit: 299,999.5 ms
    /// ago is less than five minutes, and 30,000.5 ms ahead is more than 30 seconds.
    private static func span(_ milliseconds: Double) -> String {
        guard let total = Int64(exactly: abs(milliseconds.rounded(.down))) else { return "more than a lifetime" }
        let parts = [
            (total / 86_400_000, "d"), (total / 3_600_000 % 24, "h"), (total / 60_000 % 60, "min"),
            (total / 1_000 % 60, "s"), (total % 1_000, "ms"),
        ]
        let span = parts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
        return span.isEmpty ? "0 ms" : span
    }
}
