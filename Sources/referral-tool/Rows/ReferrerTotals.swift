/// The number of strings for each referrer, as long as there aren't too many.
struct ReferrerTotals {
    private static let maximumCount = 1_000
    private static let maximumShown = 10

    /// By the hash of the referrer, which is compared for each string. The referrer is the content of a JSON string.
    private var totals: [Int: (referrer: String, count: Int)] = [:]

    /// Whether there are more referrers than are counted.
    private(set) var hasTooMany = false

    mutating func add(_ referrer: Bytes) {
        guard !hasTooMany else { return }
        let hash = Self.hash(referrer)
        if let index = totals.index(forKey: hash) {
            totals.values[index].count += 1
        } else {
            insert(hash, String(decoding: referrer, as: UTF8.self), 1)
        }
    }

    mutating func add(_ other: Self) {
        if other.hasTooMany { stop() }
        for (hash, (referrer, count)) in other.totals where !hasTooMany { insert(hash, referrer, count) }
    }

    private mutating func insert(_ hash: Int, _ referrer: String, _ count: Int) {
        totals[hash, default: (referrer, 0)].count += count
        if totals.count > Self.maximumCount { stop() }
    }

    private mutating func stop() {
        hasTooMany = true
        totals.removeAll()
    }

    private static func text(ofJSON content: String) -> String {
        let object = "{\"\":\"\(content)\"}".withUTF8Bytes { try? JSONRow.members(of: $0) }
        return object?.first?.value.cell ?? content
    }

    private static func hash(_ bytes: Bytes) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }

    /// `2 from 'anna', 1 from 'bob'`, the most frequent ones first; `nil` if there are none.
    var text: Sentence? {
        guard !hasTooMany else { return "more than \(name: Progress.grouped(Self.maximumCount)) referrers" }
        let named = totals.values.map { (referrer: Self.text(ofJSON: $0.referrer), count: $0.count) }
        let ordered = named.sorted { $0.count == $1.count ? $0.referrer < $1.referrer : $0.count > $1.count }
        let shown = ordered.prefix(Self.maximumShown).map {
            "\(name: Progress.grouped($0.count)) from \(quoted: $0.referrer)" as Sentence
        }
        let others = ordered.dropFirst(Self.maximumShown)
        let count = others.reduce(0) { $0 + $1.count }
        let rest: [Sentence] =
            others.isEmpty ? [] : ["\(count) from \(name: Progress.count(others.count, "other"))"]
        return shown.isEmpty ? nil : (shown + rest).joined(separator: ", ")
    }
}
