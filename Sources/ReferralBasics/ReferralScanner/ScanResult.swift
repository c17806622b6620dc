/// The referral that a scan found, and a judgment on every string.
public struct ScanResult: Sendable, Equatable {
    /// A judgment on every string, in the order of the list.
    public private(set) var judgments: [Judgment] = []

    /// The index of the string that contains the referral.
    public private(set) var referralIndex: Int?

    /// The referral with the newest tap that counts; on a tie, the first in the list. `nil` if no tap counts.
    public var referral: Referral? { arrival?.referral }

    /// The referral, and how it came; `nil` if no tap counts.
    public var arrival: Arrival? { referralIndex.flatMap { judgments[$0].arrival } }

    /// A verdict on every string, in the order of the list.
    public var verdicts: [Verdict] { judgments.map(\.verdict) }

    /// The result of judging strings one after the other.
    package init(_ judgments: some Sequence<Judgment>) { for judgment in judgments { append(judgment) } }

    private mutating func append(_ judgment: Judgment) {
        let index = judgments.endIndex
        judgments.append(judgment)
        guard judgment.verdict == .found, let found = judgment.arrival else { return }
        if let arrival, arrival.timestamp >= found.timestamp {
            judgments[index].replace(with: .superseded)
        } else {
            if let referralIndex { judgments[referralIndex].replace(with: .superseded) }
            referralIndex = index
        }
    }
}
