import ReferralBridge

/// A time and a scanner for the strings of a command.
struct Judge: Sendable {
    let scanner: ReferralScanner
    let now: Timestamp
    let reported: Timestamp?
    /// Whether the strings are Google Play's.
    var isPlay = false

    func callAsFunction(_ string: String) -> Judgment {
        isPlay
            ? scanner.judge(playText: string, now: now, lastReported: reported)
            : scanner.judge(string, now: now, lastReported: reported)
    }
}

/// A scan of any number of strings. It keeps only the best string, and a few bytes for each of the others.
struct LongScan {
    private static let verdicts = Verdict.allCases

    private let judge: Judge
    private let maximumReasons: Int

    private(set) var count = 0
    /// The string with the referral.
    private(set) var best: (index: Int, judgment: Judgment, referral: Referral)?
    /// The number of strings for each verdict, except for the best string.
    private(set) var verdicts: [Verdict: Int] = [:]

    /// For each string, the index of its verdict, or of its error after all verdicts.
    private var codes: [UInt8] = []
    private var ages: [Double] = []
    private var errors: [ReferralLinkError] = []

    init(_ judge: Judge, maximumReasons: Int) { (self.judge, self.maximumReasons) = (judge, maximumReasons) }

    mutating func append(_ string: String) {
        let judgment = judge(string)
        var verdict = judgment.verdict
        if verdict == .found, let referral = judgment.arrival?.referral {
            // On a tie, the first string is used, as in a scan.
            if let best, best.referral.timestamp >= referral.timestamp {
                verdict = .superseded
            } else {
                if let best {
                    verdicts[.superseded, default: 0] += 1
                    if best.index < codes.count { codes[best.index] = Self.code(of: .superseded) }
                }
                best = (count, judgment, referral)
            }
        }
        if verdict != .found { verdicts[verdict, default: 0] += 1 }
        if count < maximumReasons {
            if let error = judgment.error {
                if !errors.contains(error) { errors.append(error) }
                codes.append(UInt8(Self.verdicts.count + (errors.firstIndex(of: error) ?? 0)))
            } else {
                codes.append(Self.code(of: verdict))
            }
            ages.append(judgment.ageMilliseconds ?? 0)
        }
        count += 1
    }

    private static func code(of verdict: Verdict) -> UInt8 { UInt8(verdicts.firstIndex(of: verdict) ?? 0) }

    /// Calls the body with the verdict and the reason of each string, in order.
    func forEachReason(
        limit: Int = .max,
        _ body: (Int, Verdict, String) throws(ToolError) -> Void
    ) throws(ToolError) {
        for (index, code) in codes.prefix(limit).enumerated() {
            if Int(code) < Self.verdicts.count {
                let verdict = Self.verdicts[Int(code)]
                try body(index, verdict, Judgment.reason(verdict, ageMilliseconds: ages[index], judge.scanner.window))
            } else {
                let error = errors[Int(code) - Self.verdicts.count]
                try body(index, error.verdict, error.description)
            }
        }
    }
}
