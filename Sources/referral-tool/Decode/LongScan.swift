import ReferralBridge

/// A scan of any number of strings, which keeps only the best string and a few bytes of each other one.
///
/// It scans the strings in pieces, each after the best string so far. So the rules stay in the scanner, and on a tie the
/// first string wins.
struct LongScan {
    struct Best {
        let index: Int
        let string: String
        let judgment: Judgment
    }

    /// The number of strings in a piece, and of their bytes.
    private static let (pieceCount, pieceSize) = (1_024, 1 << 20)
    private static let verdicts = Verdict.allCases

    private let scanner: ReferralScanner
    private let now: Timestamp
    private let reported: Timestamp?
    private let maximumReasons: Int

    private(set) var count = 0
    /// The string with the referral.
    private(set) var best: Best?
    /// The number of strings for each verdict, except for the best string.
    private(set) var verdicts: [Verdict: Int] = [:]

    private var piece: [String] = []
    private var size = 0

    /// For each string the index of its verdict, or of its error after all verdicts.
    private var codes: [UInt8] = []
    private var ages: [Double] = []
    private var errors: [ReferralLinkError] = []

    init(_ scanner: ReferralScanner, now: Timestamp, reported: Timestamp?, maximumReasons: Int) {
        (self.scanner, self.now, self.reported) = (scanner, now, reported)
        self.maximumReasons = maximumReasons
    }

    mutating func append(_ string: String) {
        piece.append(string)
        size += string.utf8.count
        if piece.count == Self.pieceCount || size >= Self.pieceSize { finish() }
    }

    /// Scans the strings that were appended last.
    mutating func finish() {
        let previous = best
        let strings = (previous.map { [$0.string] } ?? []) + piece
        for (place, judgment) in scanner.scan(strings, now: now, lastReported: reported).judgments.enumerated() {
            let isPrevious = previous != nil && place == 0
            let index = isPrevious ? previous?.index ?? 0 : count
            if !isPrevious { count += 1 }
            keepReason(judgment, at: index)
            if judgment.verdict == .found {
                best = Best(index: index, string: strings[place], judgment: judgment)
            } else {
                verdicts[judgment.verdict, default: 0] += 1
            }
        }
        piece.removeAll(keepingCapacity: true)
        size = 0
    }

    private mutating func keepReason(_ judgment: Judgment, at index: Int) {
        guard index < maximumReasons else { return }
        var code = Self.verdicts.firstIndex(of: judgment.verdict) ?? 0
        if let error = judgment.error {
            if !errors.contains(error) { errors.append(error) }
            code = Self.verdicts.count + (errors.firstIndex(of: error) ?? 0)
        }
        if index == codes.count {
            codes.append(0)
            ages.append(judgment.ageMilliseconds ?? 0)
        }
        codes[index] = UInt8(code)
    }

    /// Calls the body with the verdict and the reason of each string, in order.
    func forEachReason(
        limit: Int = .max,
        _ body: (Int, Verdict, String) throws(ToolError) -> Void
    ) throws(ToolError) {
        for (index, code) in codes.prefix(limit).enumerated() {
            if Int(code) < Self.verdicts.count {
                let verdict = Self.verdicts[Int(code)]
                try body(index, verdict, Judgment.reason(verdict, ageMilliseconds: ages[index], scanner.window))
            } else {
                let error = errors[Int(code) - Self.verdicts.count]
                try body(index, error.verdict, error.description)
            }
        }
    }
}
