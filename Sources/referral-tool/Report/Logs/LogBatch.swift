/// What a thread found in a block of a log, whose bytes the texts are views of. It is counted in the order of the log.
struct LogBatch {
    /// A request that counts.
    struct Request {
        let measure: Measure
        let time: LogTime
        /// `nil` if the log names nobody.
        let client: Digest?
        /// The client, its agent, the referrer and the page.
        let visit: Digest
        let names: (referrer: Bytes, campaign: Bytes)
    }

    let block: RowBlock
    let texts = TextBuffer()
    /// The number of lines of each fate.
    var lines = [Int](repeating: 0, count: LineFate.allCases.count)
    var requests: [Request] = []
    var strangeLines: [Bytes] = []
    /// Requests that somebody may have meant to count.
    var remarks: [String] = []
    /// The named pages that were requested.
    var pages: Set<Int> = []
    var withoutZone = 0
}
