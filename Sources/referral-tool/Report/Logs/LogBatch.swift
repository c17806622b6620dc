/// What a part of a log contains. Its texts are views of the part.
struct LogBatch {
    /// The number of lines of each fate; each other line is an event.
    private(set) var fates = [Int](repeating: 0, count: LineFate.allCases.count)
    private(set) var strangeLines: [String] = []
    var events: [LogEvent] = []
    var (requests, withoutZone) = (0, 0)
    var hasAgents = false
    /// The named pages that were requested.
    var pages: Set<Int> = []
    /// Paths that aren't counted: those whose query names a referrer, and the count address with the status of its answer.
    var missed: [(path: Bytes, refusal: Int?)] = []

    mutating func add(_ fate: LineFate, _ line: Bytes) {
        fates[fate.rawValue] += 1
        if fate == .notALine, strangeLines.count < Tally.maximumShown { strangeLines.append(LogLine.shown(line)) }
    }
}

/// A request that counts.
struct LogEvent {
    let time: Int
    /// A copy is a tap too.
    let measure: Measure
    /// The client; `nil` if the log names nobody, so that each request is a visit.
    let client: Digest?
    /// The client with its agent, the page and the referrer.
    let visit: Digest
    /// The names, decoded: `anna` and `%61nna` are one.
    let referrer: Bytes
    let campaign: Bytes?
    let hasAgent: Bool
}
