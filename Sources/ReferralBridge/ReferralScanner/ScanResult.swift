/// The referral that a scan found, and a verdict on every string.
public struct ScanResult: Sendable, Hashable {
    /// A judgment on every string, in the order of the list.
    public private(set) var judgments = Judgments()

    /// The index of the string that holds the referral.
    public private(set) var referralIndex: Int?

    /// The referral with the newest tap that counts; on a tie, the first in the list. `nil` if no tap counts.
    public var referral: Referral? { referralIndex.flatMap { judgments[$0].link?.referral } }

    /// A verdict on every string, in the order of the list.
    public var verdicts: [Verdict] { judgments.map(\.verdict) }

    init() {}

    /// The result of judging one string.
    init(_ judgment: Judgment) {
        append(judgment)
    }

    mutating func append(_ judgment: Judgment) {
        judgments.append(judgment)
        guard judgment.verdict == .found, let link = judgment.link else { return }
        let index = judgments.endIndex - 1
        if let referral, referral.timestamp >= link.referral.timestamp {
            judgments.supersede(index)
        } else {
            if let referralIndex { judgments.supersede(referralIndex) }
            referralIndex = index
        }
    }

    /// Adds the judgment on a string that doesn't begin as a link.
    mutating func appendNonLink() {
        judgments.appendNonLink()
    }
}

extension ScanResult {
    /// Judgments in the order of the strings.
    ///
    /// A string that doesn't begin as a link takes no memory: the collection keeps only the others, with their places.
    public struct Judgments: Sendable, Hashable, RandomAccessCollection {
        private struct Entry: Hashable {
            let index: Int
            var judgment: Judgment
        }

        private var entries: [Entry] = []

        /// The place of the first string: 0.
        public var startIndex: Int { 0 }

        /// The number of strings.
        public private(set) var endIndex = 0

        /// The judgment on a string.
        public subscript(index: Int) -> Judgment {
            precondition(indices.contains(index), "there are \(count) judgments, and none at \(index)")
            return place(of: index).map { entries[$0].judgment } ?? Judgment(.invalidAddress(.unsupportedScheme))
        }

        mutating func append(_ judgment: Judgment) {
            entries.append(Entry(index: endIndex, judgment: judgment))
            endIndex += 1
        }

        mutating func appendNonLink() {
            endIndex += 1
        }

        mutating func supersede(_ index: Int) {
            if let place = place(of: index) { entries[place].judgment.supersede() }
        }

        private func place(of index: Int) -> Int? {
            var candidates = entries[...]
            while !candidates.isEmpty {
                let middle = (candidates.startIndex + candidates.endIndex) / 2
                if entries[middle].index == index { return middle }
                candidates = entries[middle].index < index ? candidates[(middle + 1)...] : candidates[..<middle]
            }
            return nil
        }
    }
}
