/// The results of a block of rows.
struct Batch: ~Copyable {
    var output = ByteBuffer(capacity: 512 << 10)
    /// The rejected rows, each with its reason.
    var rejects = ByteBuffer(capacity: 0)
    /// The first rejected rows, up to the number that is reported, with their lines.
    var reports: [(line: Int, error: RowError)] = []
    /// What the sheet of codes shows of the rows.
    var codes: [CodeSheet.Code] = []
    /// The referrers of the input's first lines, which are compared.
    var referrers: [String] = []
    var counts = Counts()
}

/// The counts of one block, or of all blocks.
struct Counts {
    private static let maximumNames = 64

    var rows = 0
    var rejected = 0
    /// The rows whose referrer has white space around it.
    var trimmed = 0
    /// The members of JSON lines without a role, in order; the first ones, since each row may have different ones, and none that is
    /// longer than a name.
    private(set) var ignored: [Name] = []
    /// The rows for each verdict, of which most tables have few.
    private(set) var verdicts: [(verdict: Verdict, count: Int)] = []

    mutating func ignore(_ name: Name) {
        guard ignored.count < Self.maximumNames, name.rawValue.isName, !ignored.contains(name) else { return }
        ignored.append(name)
    }

    mutating func add(_ count: Int, _ verdict: Verdict) {
        if let place = verdicts.firstIndex(where: { $0.verdict == verdict }) {
            verdicts[place].count += count
        } else {
            verdicts.append((verdict, count))
        }
    }

    mutating func add(_ other: Counts) {
        rows += other.rows
        rejected += other.rejected
        trimmed += other.trimmed
        for name in other.ignored { ignore(name) }
        for (verdict, count) in other.verdicts { add(count, verdict) }
    }
}

/// A value that is changed in place, and shared.
final class Reference<Value: ~Copyable> {
    var value: Value
    init(_ value: consuming Value) { self.value = value }
}
