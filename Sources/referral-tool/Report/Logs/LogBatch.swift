/// What a thread found in a block of a log, whose bytes the texts are views of. It is counted in the order of the log.
struct LogBatch {
    let block: RowBlock
    let texts = TextBuffer()
    /// The number of lines of each fate.
    var lines = [Int](repeating: 0, count: LineFate.allCases.count)
    var requests: [LogRequest] = []
    var strangeLines: [Bytes] = []
    /// Requests that somebody may have meant to count.
    var remarks: [String] = []
    /// The named pages that were requested.
    var pages: Set<Int> = []
    var withoutZone = 0
}
