/// What a scan came to: the referral that was found, and a verdict on every string.
public struct ScanResult: Sendable, Hashable {
    /// A judgement on every string, in the order of the list.
    public private(set) var judgements = Judgements()

    /// Which string holds the referral that was found.
    public private(set) var foundIndex: Int?

    /// The referral that was found: the newest tap that passes, of equals the first.
    public var found: Referral? { foundIndex.flatMap { judgements[$0].link?.referral } }

    /// A verdict on every string, in the order of the list.
    public var verdicts: [Verdict] { judgements.map(\.verdict) }

    mutating func append(_ judgement: Judgement) {
        judgements.append(judgement)
        guard judgement.verdict == .found, let link = judgement.link else { return }
        let index = judgements.endIndex - 1
        if let found, found.timestamp >= link.referral.timestamp {
            judgements.supersede(index)
        } else {
            if let foundIndex { judgements.supersede(foundIndex) }
            foundIndex = index
        }
    }

    /// Takes note of a string that does not begin as a link.
    mutating func appendUnlikeALink() {
        judgements.appendUnlikeALink()
    }
}

extension ScanResult {
    /// Judgements in the order of the strings.
    ///
    /// A string that does not even begin as a link takes no room here: only the others are kept, with their places.
    public struct Judgements: Sendable, Hashable, RandomAccessCollection {
        private struct Entry: Hashable {
            let index: Int
            var judgement: Judgement
        }

        private var entries: [Entry] = []

        /// The first string's place, 0.
        public var startIndex: Int { 0 }

        /// How many strings there were.
        public private(set) var endIndex = 0

        /// The judgement on a string.
        public subscript(index: Int) -> Judgement {
            precondition(indices.contains(index), "there are \(count) judgements, and none at \(index)")
            return place(of: index).map { entries[$0].judgement } ?? Judgement(.page(.noStoreScheme))
        }

        mutating func append(_ judgement: Judgement) {
            entries.append(Entry(index: endIndex, judgement: judgement))
            endIndex += 1
        }

        mutating func appendUnlikeALink() {
            endIndex += 1
        }

        mutating func supersede(_ index: Int) {
            if let place = place(of: index) { entries[place].judgement.supersede() }
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
