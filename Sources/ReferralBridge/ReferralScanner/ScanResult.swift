/// The referral that a scan found, and a judgment on every string.
public struct ScanResult: Sendable, Equatable {
    /// A judgment on every string, in the order of the list.
    public private(set) var judgments: [Judgment] = []

    /// The index of the string that contains the referral.
    public private(set) var referralIndex: Int?

    /// The referral with the newest tap that counts; on a tie, the first in the list. `nil` if no tap counts.
    public var referral: Referral? { referralIndex.flatMap { judgments[$0].link?.referral } }

    /// A verdict on every string, in the order of the list.
    public var verdicts: [Verdict] { judgments.map(\.verdict) }

    init(capacity: Int) {
        judgments.reserveCapacity(capacity)
    }

    /// The result of judging one string.
    init(_ judgment: Judgment) {
        append(judgment)
    }

    mutating func append(_ judgment: Judgment) {
        let index = judgments.endIndex
        judgments.append(judgment)
        guard judgment.verdict == .found, let link = judgment.link else { return }
        if let referral, referral.timestamp >= link.referral.timestamp {
            judgments[index].supersede()
        } else {
            if let referralIndex { judgments[referralIndex].supersede() }
            referralIndex = index
        }
    }
}
