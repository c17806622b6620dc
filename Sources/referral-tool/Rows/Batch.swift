import ReferralBridge

/// What came of a chunk of rows, on its way out.
struct Batch: ~Copyable {
    /// A row that was not taken.
    struct Report {
        /// Its line, counted from the chunk's first one.
        let line: Int
        let reason: String
    }

    /// From here on a batch is written before its chunk is done, since a short row may become a long one.
    private static let fullSize = 2 << 20

    var output = ByteBuffer(capacity: 512 << 10)
    /// The rows that were not taken, each with its reason.
    var rejects = ByteBuffer(capacity: 0)
    /// The first of the rows that were not taken, as many as anybody will be shown.
    var reports: [Report] = []
    var rowCount = 0
    var badCount = 0
    /// How many cells of the output a spreadsheet takes for formulas.
    var formulaCount = 0
    /// How many lines the chunk has.
    var lineCount = 0
    /// How many rows fell under each verdict, in the order of `Verdict.allCases`.
    var verdicts = noVerdicts
    static let noVerdicts = Verdict.allCases.map { _ in 0 }

    var isFull: Bool { output.count + rejects.count > Self.fullSize }

    mutating func removeAll() {
        output.removeAll()
        rejects.removeAll()
        reports.removeAll()
        verdicts = Self.noVerdicts
        (rowCount, badCount, formulaCount, lineCount) = (0, 0, 0, 0)
    }
}
