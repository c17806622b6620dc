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

/// Reads blocks of a log: which requests are of a landing page or of the count address, and who sent them. Each thread has its own.
struct LogReader {
    private let scope: ReportScope
    /// Whether comments name the fields of the lines after them.
    private let hasFields: Bool
    /// Whether the log has agents, so that a request without one is a robot's.
    private let hasAgents: Bool
    /// The pages whose path names the referrer.
    private let patterns: Set<[UInt8]>
    private var line = LogLine()
    /// The request of a line. One of these reads all lines, so that it isn't copied.
    private var request = LogRequest()
    /// Whether an agent is a robot's, for at most 20,000 of them.
    private var robots: [Digest: Bool] = [:]

    init(_ scope: ReportScope, hasFields: Bool, hasAgents: Bool) {
        (self.scope, self.hasFields, self.hasAgents) = (scope, hasFields, hasAgents)
        patterns = scope.linkedPages.union(scope.pages).filter { $0.last == ASCII.asterisk }
    }

    mutating func read(_ block: RowBlock) -> LogBatch {
        var batch = LogBatch(block: block)
        batch.requests.reserveCapacity(64)
        line.texts = batch.texts
        var lines = RowScanner(block.bytes, format: .txt)
        while let text = lines.next()?.bytes {
            let fate = block.isCut ? .notALine : fate(of: text, &batch)
            batch.lines[fate.rawValue] += 1
            if fate == .notALine { batch.strangeLines.append(text) }
        }
        return batch
    }

    private mutating func fate(of text: Bytes, _ batch: inout LogBatch) -> LineFate {
        if text.isEmpty || (hasFields ? line.readComment(text) : text.first == ASCII.hash) { return .comments }
        guard line.read(text, &request), let time = request.time else { return .notALine }
        if !time.hasZone { batch.withoutZone += 1 }
        let pattern = patterns.isEmpty ? nil : pattern(of: request.path)
        request.path = pattern.map { line.texts.copy($0.page) } ?? line.texts.page(request.path)
        let referrer = pattern == nil ? request.item(scope.item, line.texts) : pattern?.name
        guard let measure = measure(namesReferrer: referrer != nil, &batch) else { return .otherRequests }
        guard 200..<300 ~= request.status || request.status == 304 else {
            let text = "\(request.path.string.shown) was answered \(request.status); answer it with 204"
            if measure != .viewed { batch.remarks.append(text) }
            return .failed
        }
        guard scope.contains(Day(ofSecond: time.seconds)) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        line.readVisitor(of: &request)
        var visit = Digest(request.agent ?? .empty)
        guard !isRobot(visit) else { return .robots }
        let client = ClientAddress.isNobody(request.client) ? nil : Digest(request.client)
        let campaign = request.item("utm_campaign".utf8, line.texts) ?? request.item("ct".utf8, line.texts)
        // In a path, a plus isn't a space.
        let inPath = pattern?.name.map { line.texts.copy(PercentEncoding.decode($0).utf8) }
        let names = (inPath ?? line.texts.decoded(referrer ?? .empty), line.texts.decoded(campaign ?? .empty))
        visit.mix(client?.value ?? 0)
        visit.add(names.0)
        visit.add(request.path)
        batch.requests.append(.init(measure: measure, time: time, client: client, visit: visit, names: names))
        return .counted
    }

    /// The page whose path ends with `*` to which a path leads, and what stands in place of the `*`, if that is one name.
    private func pattern(of path: Bytes) -> (page: [UInt8], name: Bytes?)? {
        // One slash at the end is ignored, unless nobody is named before it.
        for path in [path, path.last == ASCII.slash ? path.part(0..<path.count - 1) : .empty] {
            guard let (page, name) = line.texts.pattern(path), patterns.contains(page) else { continue }
            return (page, name.isEmpty ? nil : name)
        }
        return nil
    }

    /// What the request counts as; `nil` if it is for anything else.
    private func measure(namesReferrer: Bool, _ batch: inout LogBatch) -> Measure? {
        let isGet = request.method.isEqual(to: "GET")
        guard isGet || request.method.isEqual(to: "POST") else { return nil }
        let (path, page) = (request.path, scope.pages.firstIndex { request.path.elementsEqual($0) })
        if let countPath = scope.countPath, path.elementsEqual(countPath) { return request.event(line.texts) }
        if scope.countPath == nil, page == nil, namesReferrer, let event = request.event(line.texts) { return event }
        guard isGet else { return nil }
        if let page { batch.pages.insert(page) }
        let isLinked = !scope.linkedPages.isEmpty && scope.linkedPages.contains(Array(path))
        if page != nil || scope.pages.isEmpty && (namesReferrer || isLinked) { return .viewed }
        if namesReferrer { batch.remarks.append("\(path.string.shown) names a referrer, and isn't a page that counts") }
        return nil
    }

    private mutating func isRobot(_ digest: Digest) -> Bool {
        guard let agent = request.agent else { return hasAgents }
        if let isRobot = robots[digest] { return isRobot }
        if robots.count >= 20_000 { robots.removeAll(keepingCapacity: true) }
        let isRobot = Self.isRobot(agent)
        robots[digest] = isRobot
        return isRobot
    }

    /// Words in the agents of robots, and of programs that show what a link leads to, that claim to be a browser.
    private static let words: [StaticString] = [
        "bot", "crawl", "spider", "preview", "headless", "externalhit", "imageproxy", "lighthouse", "archive", "scan",
    ]

    /// Whether an agent has the form of a robot's.
    private static func isRobot(_ agent: Bytes) -> Bool {
        agent.map(ASCII.lowercased).withUnsafeBufferPointer { text in
            func has(_ words: StaticString...) -> Bool { words.contains { text.firstIndex(of: $0) != nil } }
            let isBrowser = text.holds("mozilla/", at: 0) || text.holds("opera/", at: 0)
            let isCompatible = has("compatible;") && !has("msie", "trident")
            // Cubot is a brand of telephones.
            let words = Self.words.dropFirst(has("cubot") ? 1 : 0)
            return !isBrowser || isCompatible || has("http://", "https://") || words.contains { has($0) }
        }
    }
}

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
