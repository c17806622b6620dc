import ReferralBridge

/// The results of a chunk of rows.
struct Batch: ~Copyable {
    /// A rejected row.
    struct Report {
        /// The row's line in the chunk, counting from 0.
        let line: Int
        let reason: String
    }

    /// The size at which a batch is written before the end of its chunk, because a short row may become a long one.
    private static let fullSize = 2 << 20

    var output = ByteBuffer(capacity: 512 << 10)
    /// The rejected rows, each with its reason.
    var rejects = ByteBuffer(capacity: 0)
    /// The first rejected rows, up to the number that is reported.
    var reports: [Report] = []
    var rowCount = 0
    var rejectedCount = 0
    /// The number of cells in the output that a spreadsheet takes for formulas.
    var formulaCount = 0
    /// The number of lines in the chunk.
    var lineCount = 0
    /// The number of rows for each verdict, in the order of `Verdict.allCases`.
    var verdicts = noVerdicts
    static let noVerdicts = Verdict.allCases.map { _ in 0 }

    var isFull: Bool { output.count + rejects.count > Self.fullSize }

    mutating func removeAll() {
        output.removeAll()
        rejects.removeAll()
        reports.removeAll()
        verdicts = Self.noVerdicts
        (rowCount, rejectedCount, formulaCount, lineCount) = (0, 0, 0, 0)
    }
}
