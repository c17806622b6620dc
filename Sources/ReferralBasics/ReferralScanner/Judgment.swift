public import ReferralFoundation

/// The verdict on a string, and the facts behind it.
public struct Judgment: Sendable, Equatable {
    /// The verdict.
    public private(set) var verdict: Verdict

    private let basis: Basis

    private enum Basis: Equatable {
        /// The rule that the string broke.
        case unreadable(ReferralLinkError)
        /// What the string says, and the age of its tap in milliseconds. A landing page's address has no window.
        indirect case readable(Arrival, ReferralLink?, age: Double, window: AttributionWindow?)
    }

    /// The rule that the string violates; `nil` if there is an arrival.
    public var error: ReferralLinkError? {
        if case .unreadable(let error) = basis { error } else { nil }
    }

    /// What the string says, whatever the verdict on it; `nil` if it doesn't contain a referral.
    public var arrival: Arrival? {
        if case .readable(let arrival, _, _, _) = basis { arrival } else { nil }
    }

    /// The link, whatever the verdict on it; `nil` if the string isn't a link. The address of a landing page isn't one.
    public var link: ReferralLink? {
        if case .readable(_, let link, _, _) = basis { link } else { nil }
    }

    /// The age of the tap, in seconds; negative for a tap in the future, `nil` if there is no referral.
    public var age: TimeInterval? { ageMilliseconds.map { $0 / 1_000 } }

    /// The age in the payload's unit, without rounding.
    package var ageMilliseconds: Double? {
        if case .readable(_, _, let age, _) = basis { age } else { nil }
    }
}

extension Judgment {
    package init(_ error: ReferralLinkError) {
        verdict = error.verdict
        basis = .unreadable(error)
    }

    /// A verdict on what a link says.
    package init(
        _ arrival: Arrival,
        _ link: ReferralLink?,
        _ verdict: Verdict,
        now: Timestamp,
        window: AttributionWindow
    ) {
        self.verdict = verdict
        basis = .readable(arrival, link, age: now.milliseconds - arrival.timestamp.milliseconds, window: window)
    }

    /// A verdict on what the address of a landing page says.
    package init(_ arrival: Arrival, _ verdict: Verdict, now: Timestamp) {
        self.verdict = verdict
        basis = .readable(arrival, nil, age: now.milliseconds - arrival.timestamp.milliseconds, window: nil)
    }

    /// Replaces the verdict on an arrival that otherwise counts.
    package mutating func replace(with verdict: Verdict) {
        if self.verdict == .found { self.verdict = verdict }
    }

    /// Whether the string is a link to this app, with or without a valid referral.
    package var isForThisApp: Bool { verdict != .notALink && verdict != .wrongApp }

    /// Whether the tap is too far in the future to count now, but will count within one window.
    ///
    /// A tap further in the future has a wrong clock or a wrong unit, so it isn't worth waiting for.
    package var isImminent: Bool {
        guard verdict == .fromTheFuture, case .readable(_, _, let age, let window?) = basis else { return false }
        return -age - window.toleranceMilliseconds < window.durationMilliseconds
    }
}

extension Judgment: CustomStringConvertible {
    /// The verdict and its reason.
    public var description: String { verdict.rawValue + ": " + reason }

    /// The reason for the verdict, as a sentence. It doesn't contain any of the string.
    public var reason: String {
        switch basis {
        case .unreadable(let error): error.description
        case .readable(_, _, let age, let window?): Self.reason(verdict, ageMilliseconds: age, window)
        case .readable: Self.reason(onLandingPage: verdict)
        }
    }

    /// The reason for a verdict on the address of a landing page.
    private static func reason(onLandingPage verdict: Verdict) -> String {
        switch verdict {
        case .found: "The address of the landing page names the referrer."
        case .alreadyReported:
            "The same address was opened less than 2 seconds earlier or later, or this opening was reported before."
        case .expired: "The address was opened in the App Clip 30 days ago or earlier."
        default: reason(verdict, ageMilliseconds: 0, .standard)
        }
    }

    /// The reason for a verdict on a link.
    package static func reason(
        _ verdict: Verdict,
        ageMilliseconds age: Double,
        _ window: AttributionWindow
    ) -> String {
        switch verdict {
        case .notSigned: "The referral is not signed: it has no sig, or an empty one."
        case .wrongSignature:
            "No signer made the signature (sig) for this app, referrer and parameters, or sig or until is malformed."
        case .campaignOver: "The tap came at or after the end of its campaign (until)."
        case .fromTheFuture:
            "The tap lies " + span(age) + " after now; the clock tolerance is " + span(window.toleranceMilliseconds)
                + "."
        case .expired:
            "The tap was " + span(age) + " ago; it counts for less than " + span(window.durationMilliseconds) + "."
        case .alreadyReported: "This tap or a newer one was reported before."
        case .superseded: "Another tap was found that is newer, or as new and in front of this one."
        case _ where age < 0: "The tap lies " + span(age) + " after now."
        default: "The tap was " + span(age) + " ago."
        }
    }

    /// A readable time span. It is rounded so that a tap never seems to be on the other side of a limit: 299,999.5 ms
    /// ago is less than five minutes, and 30,000.5 ms ahead is more than 30 seconds.
    private static func span(_ milliseconds: Double) -> String {
        guard let total = Int64(exactly: abs(milliseconds.rounded(.down))) else { return "more than a lifetime" }
        var span = ""
        func append(_ count: Int64, _ unit: String) {
            if count != 0 { span += (span.isEmpty ? "" : " ") + String(count) + unit }
        }
        append(total / 86_400_000, " d")
        append(total / 3_600_000 % 24, " h")
        append(total / 60_000 % 60, " min")
        append(total / 1_000 % 60, " s")
        append(total % 1_000, " ms")
        return span.isEmpty ? "0 ms" : span
    }
}
