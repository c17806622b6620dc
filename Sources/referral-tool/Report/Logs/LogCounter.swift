/// Counts a log in its order, while several threads read it.
final class LogCounter {
    private let tally: Tally
    private var (requests, counted, withoutZone) = (0, 0, 0)
    /// The requests that count, by the client, or by none. A client with more than half of them is one of the first 1,000.
    @exclusivity(unchecked) private var clients: [Digest?: Int] = [:]

    private init(_ tally: Tally) { self.tally = tally }

    /// Adds all lines to a tally. Throws if none of them can be read.
    static func count(_ file: LogFile, in tally: Tally) throws(ToolError) {
        let counter = LogCounter(tally)
        // A comment names the fields of all lines after it, so that one thread reads them.
        let hasFields = file.beginning.first == ASCII.hash
        let pipeline = Pipeline(read: file.next, write: counter.add)
        try pipeline.run(jobs: hasFields ? 1 : Cores.count) {
            var reader = LogReader(tally.scope, hasFields: hasFields, hasAgents: file.hasAgents)
            return { reader.read($0) }
        }
        guard counter.requests > 0 || hasFields else {
            let (name, line) = (file.name, LogLine.shown(file.beginning.prefix { $0 != ASCII.lineFeed }))
            throw .badData("\(whole: name) isn't an access log that can be read: its first line is \(quoted: line)")
        }
        counter.addRemarks(file)
    }

    private func add(_ batch: LogBatch) throws(ToolError) {
        for fate in batch.lines.indices { tally.lines[fate] += batch.lines[fate] }
        requests += batch.lines[..<LineFate.comments.rawValue].reduce(0, +)
        (counted, withoutZone) = (counted + batch.requests.count, withoutZone + batch.withoutZone)
        tally.pages.formUnion(batch.pages)
        for text in batch.remarks { tally.remark(text, upTo: 20) }
        tally.strangeLines += batch.strangeLines.prefix(3 - tally.strangeLines.count).map { LogLine.shown($0) }
        for request in batch.requests { count(request) }
    }

    private func count(_ request: LogBatch.Request) {
        let (client, time) = (request.client, request.time.seconds)
        if client == nil || clients.count < 1_000 || clients[client] != nil {
            clients[client, default: 0] += 1
        }
        var visit = request.visit
        func add(_ measure: Measure) {
            visit.mix(UInt64(measure.rawValue))
            guard client == nil || tally.visits.begins(visit, at: time) else { return }
            let referrer = tally.tables.referrers.place(of: request.names.referrer)
            let campaign = tally.tables.campaigns.place(of: request.names.campaign)
            tally.tables.add(1, to: measure.rawValue, on: Day(ofSecond: time), referrer, campaign)
        }
        if request.measure == .copied { add(.tapped) }
        add(request.measure)
    }

    /// Adds what the reader of the figures must know about this log.
    private func addRemarks(_ file: LogFile) {
        let (name, unknown) = (file.name.shown(upTo: .max), file.hasAgents ? 0 : requests)
        let (most, ofNobody) = (clients.filter { $0.key != nil }.values.max() ?? 0, clients[nil] ?? 0)
        tally.remark("\(name): its first lines name no agents, so robots can't be told apart", unknown)
        tally.remark("\(name): its times name no zone, and are read as UTC", withoutZone)
        tally.remark("\(name): requests without a client's address, each of which is a visit", ofNobody)
        let isProxy = counted >= 10 && most * 2 > counted
        let proxy = "If a proxy is in front, log the visitor's address (nginx: real_ip_header X-Forwarded-For)"
        tally.remark("\(name): more than half of the requests come from one address. \(proxy)", isProxy ? most : 0)
    }
}
