/// Counts a log in its order, while several threads read it.
struct LogCounter {
    /// A client with more than half of the requests is one of the first that a log names.
    private static let maximumClients = 1_000

    private var tally: Tally
    /// The tables before this log, until a line has an agent.
    private var before: Tally.Tables?
    private var (requests, withoutZone) = (0, 0)
    /// Requests that count, and those of each client, or of none.
    private var counted = 0
    private var clients: [Digest?: Int] = [:]

    private init(_ tally: Tally) { (self.tally, before) = (tally, tally.tables) }

    /// Adds all lines to a tally. Throws if none of them can be read.
    static func count(_ source: ReportSource, in tally: Tally) throws(ToolError) -> Tally {
        let counter = Reference(LogCounter(tally))
        let rounds = Rounds(jobs: Cores.count) {
            var reader = LogReader(tally.scope)
            return { (part: (RowBlock, LogLine.Fields?)) in reader.read(part.0, part.1) }
        } write: { batch in
            counter.value.add(batch)
        }
        var header = LogLine()
        try rounds.run { waits throws(ToolError) in
            guard let block = try source.next(waits: waits) else { return nil }
            defer { header.readComments(in: block.bytes) }
            return (block, header.fields)
        }
        guard counter.value.requests > 0 || source.beginning.first == ASCII.hash else {
            throw source.error(isNot: "an access log that can be read")
        }
        counter.value.addRemarks(source.name.shown(upTo: .max))
        return counter.value.tally
    }

    private mutating func add(_ batch: LogBatch) {
        for fate in batch.lines.indices { tally.lines[fate] += batch.lines[fate] }
        requests += batch.lines[..<LineFate.comments.rawValue].reduce(0, +)
        withoutZone += batch.withoutZone
        tally.pages.formUnion(batch.pages)
        for text in batch.remarks { tally.remark(text, upTo: 20) }
        for line in batch.strangeLines { tally.addStrangeLine(line) }
        if batch.hasAgents { findAgent() }
        for request in batch.requests { count(request) }
    }

    private mutating func count(_ request: LogRequest) {
        // Without an agent, a request is a robot's if another line has one.
        guard request.agent != nil || before != nil else { return moveToRobots(1) }
        counted += 1
        let client = ClientAddress.isNobody(request.client) ? nil : Digest(request.client)
        if client == nil || clients.count < Self.maximumClients || clients[client] != nil {
            clients[client, default: 0] += 1
        }
        let time = request.time?.seconds ?? 0
        var visit = Digest(request.agent ?? .empty)
        visit.mix(client?.value ?? 0)
        visit.add(request.referrer)
        visit.add(request.path)
        func count(_ measure: Measure) {
            visit.mix(UInt64(measure.rawValue))
            guard client == nil || tally.visits.begins(visit, at: time) else { return }
            let referrer = tally.tables.referrers.place(of: request.referrer)
            let campaign = tally.tables.campaigns.place(of: request.campaign)
            tally.tables.add(1, to: measure.rawValue, on: Day(ofSecond: time), referrer, campaign)
        }
        if request.measure == .copied { count(.tapped) }
        count(request.measure)
    }

    /// With the first agent of the log, the visits that were counted without one are those of robots.
    private mutating func findAgent() {
        if counted > 0, let before {
            tally.tables = before
            moveToRobots(counted)
            (counted, clients) = (0, [:])
        }
        before = nil
    }

    private mutating func moveToRobots(_ count: Int) {
        tally.lines[LineFate.counted.rawValue] -= count
        tally.lines[LineFate.robots.rawValue] += count
    }

    /// Adds what the reader of the figures must know about this log.
    private mutating func addRemarks(_ name: String) {
        let (most, ofNobody) = (clients.filter { $0.key != nil }.values.max() ?? 0, clients[nil] ?? 0)
        tally.remark("\(name): no agents, so robots can't be told apart", before == nil ? 0 : requests)
        tally.remark("\(name): its times name no zone, and are read as UTC", withoutZone)
        tally.remark("\(name): requests without a client's address, each of which is a visit", ofNobody)
        tally.remark(
            "\(name): more than half of the requests come from one address. If a proxy is in front, log the visitor's address (nginx: real_ip_header X-Forwarded-For)",
            counted >= 10 && most * 2 > counted ? most : 0
        )
    }
}
