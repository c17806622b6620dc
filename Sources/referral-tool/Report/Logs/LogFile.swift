/// A log, which is counted in its order. Its first lines are read before.
final class LogFile {
    private let input: RowInput
    private let first: RowBlock
    private var isRead = false
    /// The time of the first request.
    private(set) var time: Int?
    /// Whether one of the first lines has a user agent.
    private var hasAgents = false
    private var (requests, counted, withoutZone) = (0, 0, 0)
    /// The requests that count, by the client, or by none. A client with more than half of them is one of the first 1,000.
    @exclusivity(unchecked) private var clients: [Digest?: Int] = [:]

    /// Reads the first lines; `nil` if the file is empty.
    init?(_ stream: ByteStream) throws(ToolError) {
        input = RowInput(stream, format: .txt)
        guard let first = try input.next() else { return nil }
        self.first = first
        if beginning.starts(with: [0x1F, 0x8B]) {
            throw .badData("\(whole: name) is compressed: zcat -f $(ls -tr access.log*) | referral-tool report --log -")
        }
        var (line, request) = (LogLine(), LogRequest())
        var lines = RowScanner(beginning, format: .txt)
        while let text = lines.next()?.bytes {
            guard !line.readComment(text), line.read(text, &request), let time = request.time else { continue }
            line.readVisitor(of: &request)
            (self.time, hasAgents) = (self.time ?? time.seconds, hasAgents || request.agent != nil)
        }
    }

    /// Some whole lines.
    var beginning: Bytes { first.bytes }

    var name: String { input.stream.name }

    /// Reads the next lines; `nil` at the end.
    private func next(waits: Bool) throws(ToolError) -> RowBlock? {
        defer { isRead = true }
        return isRead ? try input.next(waits: waits) : first
    }

    // MARK: Counting

    /// Adds all lines to a tally, in their order, while several threads read them. Throws if none of them can be read.
    func count(in tally: Tally) throws(ToolError) {
        // A comment names the fields of all lines after it, so that one thread reads them.
        let hasFields = beginning.first == ASCII.hash
        let pipeline = Pipeline(read: next) { (batch: LogBatch) throws(ToolError) in self.add(batch, to: tally) }
        try pipeline.run(jobs: hasFields ? 1 : Cores.count) {
            var reader = LogReader(tally.scope, hasFields: hasFields, hasAgents: hasAgents)
            return { reader.read($0) }
        }
        guard requests > 0 || hasFields else {
            let line = LogLine.shown(beginning.prefix { $0 != ASCII.lineFeed })
            throw .badData("\(whole: name) isn't an access log that can be read: its first line is \(quoted: line)")
        }
        addRemarks(to: tally)
    }

    private func add(_ batch: LogBatch, to tally: Tally) {
        for fate in batch.lines.indices { tally.lines[fate] += batch.lines[fate] }
        requests += batch.lines[..<LineFate.comments.rawValue].reduce(0, +)
        (counted, withoutZone) = (counted + batch.requests.count, withoutZone + batch.withoutZone)
        tally.pages.formUnion(batch.pages)
        for text in batch.remarks { tally.remark(text, upTo: 20) }
        tally.strangeLines += batch.strangeLines.prefix(3 - tally.strangeLines.count).map { LogLine.shown($0) }
        for request in batch.requests { count(request, in: tally) }
    }

    private func count(_ request: LogBatch.Request, in tally: Tally) {
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
    private func addRemarks(to tally: Tally) {
        let (name, unknown) = (name.shown(upTo: .max), hasAgents ? 0 : requests)
        let (most, ofNobody) = (clients.filter { $0.key != nil }.values.max() ?? 0, clients[nil] ?? 0)
        tally.remark("\(name): its first lines name no agents, so robots can't be told apart", unknown)
        tally.remark("\(name): its times name no zone, and are read as UTC", withoutZone)
        tally.remark("\(name): requests without a client's address, each of which is a visit", ofNobody)
        let isProxy = counted >= 10 && most * 2 > counted
        let proxy = "If a proxy is in front, log the visitor's address (nginx: real_ip_header X-Forwarded-For)"
        tally.remark("\(name): more than half of the requests come from one address. \(proxy)", isProxy ? most : 0)
    }
}
