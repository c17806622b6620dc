import ReferralBridge

/// A scan of any number of strings, of which only the best one is kept.
///
/// The strings are scanned in pieces, each behind the best string of those before. So the first of two equal taps stays the
/// better one, and no rule of the scanner stands here as well.
struct LongScan {
    struct Best {
        let index: Int
        let string: String
        let judgment: Judgment
    }

    /// How many strings make a piece, and how many bytes of them.
    private static let (pieceCount, pieceSize) = (1_024, 1 << 20)

    private let scanner: ReferralScanner
    private let now: Timestamp
    private let reported: Timestamp?
    /// How many strings' reasons are kept.
    private let reasonsAtMost: Int

    private(set) var count = 0
    /// The string that was found.
    private(set) var best: Best?
    /// How many strings fell under each verdict, but for the one that was found.
    private(set) var fallen: [Verdict: Int] = [:]
    private var reasons = CompactReasons()
    /// The reasons of strings that were the best for a while: one a piece at most.
    private var outdone: [Int: Judgment] = [:]

    init(
        _ strings: some Sequence<String>,
        _ scanner: ReferralScanner,
        now: Timestamp,
        reported: Timestamp?,
        reasonsAtMost: Int
    ) {
        self.scanner = scanner
        self.now = now
        self.reported = reported
        self.reasonsAtMost = reasonsAtMost
        var piece: [String] = []
        var size = 0
        for string in strings {
            piece.append(string)
            size += string.utf8.count
            guard piece.count == Self.pieceCount || size >= Self.pieceSize else { continue }
            scan(piece)
            piece.removeAll(keepingCapacity: true)
            size = 0
        }
        scan(piece)
    }

    private mutating func scan(_ piece: [String]) {
        let known = best.map { [$0.string] } ?? []
        let result = scanner.scan(known + piece, now: now, lastReported: reported)
        for (place, judgment) in result.judgments.enumerated() {
            if place < known.count {
                guard place != result.referralIndex, let best else { continue }
                fallen[judgment.verdict, default: 0] += 1
                outdone[best.index] = judgment
                self.best = nil
            } else {
                if place == result.referralIndex {
                    best = Best(index: count, string: piece[place - known.count], judgment: judgment)
                } else {
                    fallen[judgment.verdict, default: 0] += 1
                }
                if count < reasonsAtMost { reasons.append(place == result.referralIndex ? nil : judgment) }
                count += 1
            }
        }
    }

    /// Calls the body with the verdict and the reason of each string in order, of the first ones up to a number.
    ///
    /// - Precondition: So many are kept.
    func forEachReason(
        atMost limit: Int = .max,
        _ body: (Int, Verdict, String) throws(ToolError) -> Void
    ) throws(ToolError) {
        var reader = reasons.reader
        for index in 0..<min(count, limit) {
            if let (verdict, reason) = reader.next() {
                try body(index, verdict, reason)
            } else if let judgment = index == best?.index ? best?.judgment : outdone[index] {
                try body(index, judgment.verdict, judgment.reason)
            }
        }
    }
}

/// Reasons in a few bytes each: most differ in their numbers alone.
private struct CompactReasons {
    /// A verdict and a sentence without its numbers, each of which stands between two parts.
    private struct Form {
        let verdict: Verdict
        let parts: [[UInt8]]
    }

    private var forms: [Form] = []
    /// The numbers of the forms, by the verdict and the sentence with a NUL in place of each number.
    private var numbersOfForms: [String: Int] = [:]
    /// For each reason the number of its form, counted from 1, and the sentence's numbers; or 0 for none.
    private var bytes: [UInt8] = []

    mutating func append(_ judgment: Judgment?) {
        guard let judgment else { return append(0) }
        var text = Array(judgment.verdict.rawValue.utf8)
        let start = text.count
        text.reserveCapacity(128)
        var numbers: [Int] = []
        var reason = judgment.reason
        reason.withUTF8 { reason in
            var position = 0
            while position < reason.count {
                let start = position
                var number = 0
                while position < reason.count, ASCII.isDigit(reason[position]), position - start < 18 {
                    number = number * 10 + Int(reason[position] & 15)
                    position += 1
                }
                // Only what reads back the same is a number.
                if position > start, reason[start] != UInt8(ascii: "0") || position == start + 1 {
                    numbers.append(number)
                    text.append(0)
                } else {
                    while position < reason.count, !ASCII.isDigit(reason[position]) { position += 1 }
                    text += reason[start..<position]
                }
            }
        }
        let form = String(decoding: text, as: UTF8.self)
        let known = numbersOfForms[form]
        if known == nil {
            let parts = text[start...].split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
            forms.append(Form(verdict: judgment.verdict, parts: parts))
            numbersOfForms[form] = forms.count
        }
        append(known ?? forms.count)
        for number in numbers { append(number) }
    }

    /// Appends a number, seven bits a byte, the lowest first.
    private mutating func append(_ number: Int) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    var reader: Reader { Reader(reasons: self) }

    struct Reader {
        fileprivate let reasons: CompactReasons
        private var position = 0

        fileprivate init(reasons: CompactReasons) { self.reasons = reasons }

        /// The next reason; `nil` where there is none.
        mutating func next() -> (Verdict, String)? {
            let number = nextNumber()
            guard number > 0 else { return nil }
            let form = reasons.forms[number - 1]
            var reason = form.parts[0]
            for part in form.parts.dropFirst() {
                reason += String(nextNumber()).utf8
                reason += part
            }
            return (form.verdict, String(decoding: reason, as: UTF8.self))
        }

        private mutating func nextNumber() -> Int {
            var number = 0
            var shift = 0
            while true {
                let byte = reasons.bytes[position]
                position += 1
                number |= Int(byte & 0x7F) << shift
                guard byte >= 0x80 else { return number }
                shift += 7
            }
        }
    }
}
