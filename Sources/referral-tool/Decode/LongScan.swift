/// A time and a scanner for the strings of a command.
struct Judge: Sendable {
    let scanner: ReferralScanner
    var now: Timestamp
    let reported: Timestamp?
    /// Whether the strings are Google Play's.
    var isPlay = false

    func callAsFunction(_ string: String) -> Judgment {
        if isPlay { return scanner.judge(playText: string, now: now, lastReported: reported) }
        // Only what is pasted may be a landing page's address.
        let road = scanner.landingPages.isEmpty ? Road.pasteboard : .pasteButton
        return scanner.judge(string, on: road, now: now, lastReported: reported)
    }
}

/// A scan of any number of strings. It keeps only the best string, and a few bytes for each of the others.
struct LongScan {
    private let judge: Judge
    private let remedy: Remedy
    private let maximumReasons: Int
    private let hasRemedies: Bool

    private(set) var count = 0
    /// The string with the referral.
    private(set) var best: (index: Int, judgment: Judgment, referral: Referral)?
    /// The number of strings for each verdict, except for the best string.
    private(set) var verdicts: [Verdict: Int] = [:]

    /// The judgment on a string, without its age. Most strings have one of a few.
    private struct Explanation: Hashable {
        var verdict: Verdict
        /// `nil` if the reason follows from the age.
        var reason: String?
        /// `nil` if the remedy follows from the age.
        var hint: String?
    }

    /// The explanations, and for each string the index of its own and its age.
    private var explanations: [Explanation] = []
    private var places: [Explanation: UInt16] = [:]
    private var codes: [UInt16] = []
    private var ages: [Double] = []

    init(_ judge: Judge, maximumReasons: Int, hasRemedies: Bool) {
        self.judge = judge
        self.maximumReasons = maximumReasons
        self.hasRemedies = hasRemedies
        remedy = Remedy(judge: judge)
    }

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
                    if best.index < codes.count { codes[best.index] = code(of: Explanation(verdict: .superseded)) }
                }
                best = (count, judgment, referral)
            }
        }
        if verdict != .found { verdicts[verdict, default: 0] += 1 }
        if count < maximumReasons {
            // The address of a landing page has no age.
            let isLanding = judgment.arrival != nil && judgment.link == nil && !judge.isPlay
            let isOwn = judgment.error != nil || isLanding && verdict != .superseded
            var explanation = Explanation(verdict: verdict, reason: isOwn ? judgment.reason : nil)
            if hasRemedies { explanation.hint = remedy.hint(for: judgment, of: string) }
            codes.append(code(of: explanation))
            ages.append(judgment.ageMilliseconds ?? 0)
        }
        count += 1
    }

    /// The index of an explanation. If there are too many, it is a shared one, without the parts that depend on the string.
    private mutating func code(of explanation: Explanation) -> UInt16 {
        if let place = places[explanation] { return place }
        guard explanations.count < Int(UInt16.max) - 100 || explanation.hint == nil else {
            return code(of: Explanation(verdict: explanation.verdict, reason: explanation.reason))
        }
        let place = UInt16(explanations.count)
        explanations.append(explanation)
        places[explanation] = place
        return place
    }

    /// Calls the body with the verdict, the reason and the remedy of each string, in order.
    func forEachReason(
        limit: Int = .max,
        _ body: (Int, Verdict, _ reason: String, _ remedy: String) throws(ToolError) -> Void
    ) throws(ToolError) {
        for (index, code) in codes.prefix(limit).enumerated() {
            let explanation = explanations[Int(code)]
            let (verdict, age) = (explanation.verdict, ages[index])
            let reason =
                explanation.reason ?? Judgment.reason(verdict, ageMilliseconds: age, judge.scanner.window)
            try body(index, verdict, reason, explanation.hint ?? remedy.text(verdict, ageMilliseconds: age))
        }
    }
}
