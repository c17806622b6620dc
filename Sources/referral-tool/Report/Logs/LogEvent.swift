import UnlockCatalog

/// A request that counts.
struct LogEvent {
    /// A name, decoded: `anna` and `%61nna` are one.
    struct Name {
        let name: String
        let digest: Digest
    }

    let time: Int
    /// A copy is a tap too.
    let measure: Measure
    /// The client, its agent, the page and the referrer; `nil` if the log names nobody, so that each request is a visit.
    let visit: Digest?
    let referrer: Name
    let campaign: Name?
    let hasAgent: Bool
}

/// What a part of a log contains. It has a fate for each line without an event.
struct LogBatch {
    var fates = [Int](repeating: 0, count: LineFate.allCases.count)
    var strangeLines: [String] = []
    var events: [LogEvent] = []
    var facts = LogFacts()
}

/// What is known of a log as a whole.
struct LogFacts {
    private static let maximumPaths = 100

    var requests = 0
    var hasAgents = false
    var withoutZone = 0
    /// Requests whose clients the log doesn't name.
    var ofNobody = 0
    /// Requests of pages and of the count address, and the clients that have more than half of them in a part of the log.
    var visits = 0
    var frequentClients: [Digest: Int] = [:]
    /// The named pages that were requested.
    var pages: Set<Int> = []
    /// Paths that aren't counted: those whose query names a referrer, and the count address with the status of its answer.
    private(set) var paths: [Name: Int] = [:]
    private(set) var refusals: [Name: Int] = [:]

    mutating func addPath(_ path: Bytes) { Self.add(path, "", to: &paths) }

    mutating func addRefusal(_ path: Bytes, _ status: Int) { Self.add(path, " was answered \(status)", to: &refusals) }

    private static func add(_ path: Bytes, _ rest: String, to counts: inout [Name: Int]) {
        let name = Name(rawValue: String(decoding: path.prefix(200), as: UTF8.self) + rest)
        if counts[name] != nil || counts.count < maximumPaths { counts[name, default: 0] += 1 }
    }

    mutating func add(_ other: LogFacts) {
        requests += other.requests
        hasAgents = hasAgents || other.hasAgents
        withoutZone += other.withoutZone
        ofNobody += other.ofNobody
        visits += other.visits
        frequentClients.merge(other.frequentClients, uniquingKeysWith: +)
        pages.formUnion(other.pages)
        paths.merge(other.paths, uniquingKeysWith: +)
        refusals.merge(other.refusals, uniquingKeysWith: +)
    }

    /// What the reader of the figures must know about this log.
    var notes: [String] {
        var notes: [String] = []
        if !hasAgents {
            notes.append("no line has a user agent: robots can't be told apart, and visits join by client alone")
        }
        if withoutZone > 0 { notes.append("its times name no zone, and are read as UTC") }
        if ofNobody > 0 {
            notes.append("\(Progress.count(ofNobody, "request")) without a client's address: each is a visit")
        }
        if visits >= 10, frequentClients.values.contains(where: { $0 * 2 > visits }) {
            let advice = "if a proxy is in front, log the visitor's address (nginx: real_ip_header X-Forwarded-For)"
            notes.append("more than half of the requests come from one address: \(advice)")
        }
        return notes
    }

    /// What is missing in all logs.
    func notes(on scope: ReportScope) -> [String] {
        let frequent = paths.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.prefix(3)
        let others = frequent.map { path, count in
            "; \(Progress.grouped(count)) for \(path.rawValue.shown) \(count == 1 ? "names" : "name") a referrer"
        }
        let missing = scope.pages.indices.filter { !pages.contains($0) }
        return missing.map { "no request for \(scope.pages[$0].text.shown)\(others.joined())" }
            + refusals.sorted { $0.key.rawValue < $1.key.rawValue }.map { answer, count in
                "\(answer.rawValue.shown(upTo: 250)) (\(Progress.count(count, "request"))); answer it with 204"
            }
    }
}
