/// The results of a chunk of rows.
struct Batch: ~Copyable {
    /// The size at which a batch is written before the end of its chunk, because a short row may become a long one.
    private static let fullSize = 2 << 20

    var output = ByteBuffer(capacity: 512 << 10)
    /// The rejected rows, each with its reason.
    var rejects = ByteBuffer(capacity: 0)
    /// Where the lines' numbers belong in the rejected rows, with the lines in the chunk, counting from 0.
    var rejectedLines: [(position: Int, line: Int)] = []
    /// The first rejected rows, up to the number that is reported, with their lines in the chunk, counting from 0.
    var reports: [(line: Int, error: RowError)] = []
    /// The rows with links, if they are collected.
    var linkedRows: [LinkedRow] = []
    var collectsLinkedRows = false
    var counts = Counts()

    var isFull: Bool { output.count + rejects.count > Self.fullSize }

    mutating func removeAll() {
        output.removeAll()
        rejects.removeAll()
        rejectedLines.removeAll(keepingCapacity: true)
        reports.removeAll()
        linkedRows.removeAll(keepingCapacity: true)
        counts = Counts()
    }
}

/// The counts of one chunk, or of all chunks.
struct Counts {
    var rows = 0
    var rejected = 0
    /// The cells in the output that a spreadsheet reads as formulas.
    var formulas = 0
    /// The members of JSON lines without a role.
    var ignored = IgnoredNames()
    /// The lines of the input.
    var lines = 0
    /// The rows for each verdict, in the order of `Verdict.allCases`.
    var verdicts = noVerdicts
    /// The rows for each referrer that was found.
    var referrers = ReferrerTotals()
    private static let noVerdicts = Verdict.allCases.map { _ in 0 }

    mutating func add(_ other: Counts) {
        rows += other.rows
        rejected += other.rejected
        formulas += other.formulas
        lines += other.lines
        ignored.insert(other.ignored.names[...])
        referrers.add(other.referrers)
        for (verdict, count) in other.verdicts.enumerated() { verdicts[verdict] += count }
    }
}
