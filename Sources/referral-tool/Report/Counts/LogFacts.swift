import UnlockCatalog

/// What is known of a log as a whole.
struct LogFacts {
    /// A client with more than half of the requests is one of the first that a log names.
    private static let maximumClients = 1_000

    private(set) var requests = 0
    private(set) var hasAgents = false
    private var withoutZone = 0
    /// Requests that count, and those of each client.
    private var counted = 0
    private var clients: [Digest?: Int] = [:]

    mutating func add(_ batch: LogBatch) {
        requests += batch.requests
        withoutZone += batch.withoutZone
        hasAgents = hasAgents || batch.hasAgents
    }

    /// Adds the client of a request that counts; `nil` if the log doesn't name it.
    mutating func addClient(_ client: Digest?) {
        counted += 1
        if client == nil || clients.count < Self.maximumClients || clients[client] != nil {
            clients[client, default: 0] += 1
        }
    }

    /// What the reader of the figures must know about this log.
    var notes: [String] {
        let ofNobody = clients[nil] ?? 0
        let isOfOne = counted >= 10 && clients.contains { $0.key != nil && $0.value * 2 > counted }
        let notes = [
            (!hasAgents, "no line has a user agent: robots can't be told apart, and visits join by client alone"),
            (withoutZone > 0, "its times name no zone, and are read as UTC"),
            (ofNobody > 0, "\(Progress.count(ofNobody, "request")) without a client's address: each is a visit"),
            (
                isOfOne,
                "more than half of the requests come from one address: if a proxy is in front, log the visitor's address (nginx: real_ip_header X-Forwarded-For)"
            ),
        ]
        return notes.filter(\.0).map(\.1)
    }
}

/// The requests of all logs that aren't counted although somebody may have meant them.
struct MissedRequests {
    private static let maximumPaths = 100

    /// The named pages that were requested.
    private var pages: Set<Int> = []
    /// Other paths whose query names a referrer.
    private var paths: [Name: Int] = [:]
    /// The count address, with the status of its answer.
    private var refusals: [Name: Int] = [:]

    mutating func add(_ batch: LogBatch) {
        pages.formUnion(batch.pages)
        for (path, refusal) in batch.missed {
            let name = String(decoding: path.prefix(200), as: UTF8.self)
            refusal.map { Self.add("\(name) was answered \($0)", to: &refusals) } ?? Self.add(name, to: &paths)
        }
    }

    private static func add(_ text: String, to counts: inout [Name: Int]) {
        let name = Name(rawValue: text)
        if counts[name] != nil || counts.count < maximumPaths { counts[name, default: 0] += 1 }
    }

    func notes(on scope: ReportScope) -> [String] {
        let frequent = paths.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.prefix(3)
        let others = frequent.map { path, count in
            "; \(Progress.grouped(count)) for \(path.rawValue.shown) \(count == 1 ? "names" : "name") a referrer"
        }
        let missing = scope.pages.indices.filter { !pages.contains($0) }
        return missing.map { "no request for \(scope.pages[$0].text.shown)\(others.joined())" }
            + refusals.sorted { $0.key < $1.key }.map { answer, count in
                "\(answer.rawValue.shown(upTo: 250)) (\(Progress.count(count, "request"))); answer it with 204"
            }
    }
}
