/// The numbers of each referrer, or of each campaign, day or road. Memory has a limit: beyond it, new names are counted together.
struct NameTable {
    static let maximumCount = 100_000

    /// The counts without a name of their own.
    enum Group: String, CaseIterable {
        /// The source doesn't name one.
        case none
        /// Beyond the limit, here or in the app, or longer than a name.
        case other
        /// The referrers of an app that are personal codes.
        case invitations
    }

    struct Row {
        let name: String
        var group: Group?
        /// What people call the referrer.
        var label: String?
        /// Whether it is in a table of links.
        var isLinked = false
        /// The numbers, by the index of the column in ``Tally/columns``; those that are missing are zero.
        fileprivate(set) var counts = [Int](repeating: 0, count: Measure.columns.count)

        subscript(column: Int) -> Int { column < counts.count ? counts[column] : 0 }

        subscript(measure: Measure) -> Int { counts[measure.rawValue] }

        var visits: Int { max(self[.viewed], self[.opened], self[.tapped]) }

        mutating func add(_ count: Int, to column: Int) {
            while counts.count <= column { counts.append(0) }
            counts[column] &+= count
        }
    }

    /// The groups, and the names in the order of their first appearance.
    var rows = Group.allCases.map { Row(name: $0.rawValue, group: $0) }
    private var places: [Digest: Int] = [:]

    static func place(of group: Group) -> Int { Group.allCases.firstIndex(of: group) ?? 0 }

    /// The place of a name, or that of a group. Names of `links` are kept whatever their number.
    mutating func place(of name: Bytes, isKnown: Bool = false) -> Int {
        guard !name.isEmpty else { return Self.place(of: .none) }
        let digest = Digest(name)
        if let place = places[digest] { return place }
        let text = String(decoding: name, as: UTF8.self)
        guard text.isName, places.count < Self.maximumCount || isKnown else { return Self.place(of: .other) }
        places[digest] = rows.count
        rows.append(Row(name: text))
        return rows.count - 1
    }

    mutating func place(of name: String, isKnown: Bool = false) -> Int {
        name.withUTF8Bytes { place(of: $0, isKnown: isKnown) }
    }

    var totals: Row {
        rows.reduce(into: Row(name: "")) { totals, row in
            for (column, count) in row.counts.enumerated() { totals.add(count, to: column) }
        }
    }

    /// The rows that aren't all zero: names in the order of their bytes, and the groups after them.
    var sorted: [Row] {
        let used = rows.filter { row in row.counts.contains { $0 != 0 } }
        let names = used.filter { $0.group == nil }
        return names.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } + used.filter { $0.group != nil }
    }
}

/// Tells a new visit from one that continues: each request follows the one before by less than 30 minutes.
/// A visit is forgotten once the log is 30 minutes further, so that memory depends on the visits of an hour, up to a limit.
struct Visits {
    /// The longest time between two requests of a visit, in seconds. At exactly this time, a new visit begins.
    private static let pause = 1_800
    /// The number of visits that are remembered at least.
    static let maximumCount = 400_000

    /// The times of the last requests, since the last change and before it.
    private var recent: [Digest: Int] = [:]
    private var older: [Digest: Int] = [:]
    private var start = 0
    /// Whether visits were forgotten that might have continued: there were too many, or the times went back.
    private(set) var (isFull, isUnsorted) = (false, false)

    /// Records a request of a client for something, and returns whether a visit begins with it.
    mutating func begins(_ key: Digest, at time: Int) -> Bool {
        let isLater = abs(time - start) >= Self.pause
        isUnsorted = isUnsorted || start - time >= Self.pause
        if isLater || recent.count >= Self.maximumCount {
            isFull = isFull || !isLater && !older.isEmpty
            (older, recent, start) = (recent, [:], time)
        }
        let last = recent.updateValue(time, forKey: key) ?? older[key]
        return last.map { abs(time - $0) >= Self.pause } ?? true
    }
}

/// A hash of 64 bits, which stands for the bytes themselves. Its seed is another one in each run.
struct Digest: Hashable {
    private static let seed = UInt64.random(in: 0...(.max))
    private(set) var value = Self.seed

    init(_ bytes: Bytes) { add(bytes) }

    mutating func add(_ bytes: Bytes) {
        var position = 0
        while let start = bytes.baseAddress, position + 8 <= bytes.count {
            mix(UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
            position += 8
        }
        mix(bytes[position...].reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) })
    }

    mutating func mix(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        value = product.high ^ product.low
    }

    /// A digest is random already, so that a second hash of it would only take time.
    func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: value) ^ seed }
}
