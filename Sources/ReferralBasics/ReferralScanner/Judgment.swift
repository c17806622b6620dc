public import ReferralFoundation

/// The verdict on a string, and the facts behind it.
public struct Judgment: Sendable, Equatable {
    /// The verdict.
    public private(set) var verdict: Verdict

    /// The rule that the string violates; `nil` if there is an arrival.
    public private(set) var error: ReferralLinkError?

    /// What the string says, whatever the verdict on it; `nil` if it doesn't contain a referral.
    public private(set) var arrival: Arrival?

    /// The arrival's referral.
    public var referral: Referral? { arrival?.referral }

    /// The link, whatever the verdict on it; `nil` if the string isn't a link. The address of a landing page isn't one.
    public private(set) var link: ReferralLink?

    /// The age of the tap in the payload's unit, without rounding.
    package private(set) var ageMilliseconds: Double?

    /// The window by which a link was judged. A landing page's address has none.
    private(set) var window: AttributionWindow?

    /// The names of the items of a signed address that are ignored.
    private(set) var ignored: [String] = []

    /// The age of the tap, in seconds; negative for a tap in the future, `nil` if there is no referral.
    public var age: TimeInterval? { ageMilliseconds.map { $0 / 1_000 } }
}

extension Judgment {
    init(_ error: ReferralLinkError) { self.init(verdict: error.verdict, error: error) }

    /// Replaces the verdict on an arrival that otherwise counts.
    package mutating func replace(with verdict: Verdict) { if self.verdict == .found { self.verdict = verdict } }
}

extension Judgment: CustomStringConvertible {
    /// The verdict and its reason.
    public var description: String { verdict.rawValue + ": " + reason }

    /// The reason for the verdict, in sentences. They contain none of the string but the names of items that were ignored.
    public var reason: String {
        let counts = [.found, .notSigned, .wrongSignature].contains(verdict) && arrival?.isSigned == false
        guard counts, !ignored.isEmpty else { return ownReason }
        let names = ignored.prefix(5).map { "\(name: $0)" as Sentence }.joined(separator: ", ")
        let more: Sentence = ignored.count > 5 ? " and \(ignored.count - 5) more" : ""
        let note: Sentence =
            " Items before the referrer or after sig were ignored: \(names)\(more). The address may have been sorted."
        return ownReason + note.text
    }

    private var ownReason: String {
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
