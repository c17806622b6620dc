/// Counts a log line by line: which requests are of a landing page or of the count address, and who sent them.
struct LogCounter {
    /// The number of user agents that are remembered.
    private static let maximumAgents = 20_000
    /// A client with more than half of the requests is one of the first that a log names.
    private static let maximumClients = 1_000

    private let scope: ReportScope
    private var line = LogLine()
    private var items: RequestItems
    /// Whether an agent is a robot's.
    private var robots: [Digest: Bool] = [:]

    private var (requests, withoutZone) = (0, 0)
    private var hasAgents = false
    /// The tables before this log, until a line has an agent.
    private var before: Tally.Tables?
    /// Requests that count, and those of each client, or of none.
    private var counted = 0
    private var clients: [Digest?: Int] = [:]

    init(_ tally: Tally) { (scope, items, before) = (tally.scope, RequestItems(tally.scope.item), tally.tables) }

    /// Counts all lines. Throws if none of them can be read.
    static func count(_ source: ReportSource, in tally: inout Tally) throws(ToolError) {
        var counter = LogCounter(tally)
        try source.forEachLine { counter.count($0, isWhole: $1, in: &tally) }
        guard counter.requests > 0 || source.beginning.first == ASCII.hash else {
            throw source.error(isNot: "an access log that can be read")
        }
        counter.addRemarks(source.name.shown(upTo: .max), to: &tally)
    }

    mutating func count(_ line: Bytes, isWhole: Bool, in tally: inout Tally) {
        let fate = isWhole ? fate(of: line, in: &tally) : .notALine
        tally.lines[fate.rawValue] += 1
        if fate == .notALine { tally.addStrangeLine(line) }
    }

    private mutating func fate(of text: Bytes, in tally: inout Tally) -> LineFate {
        line.texts.removeAll()
        if text.isEmpty || line.readComment(text) { return .comments }
        guard var request = line.read(text), let time = request.time else { return .notALine }
        requests += 1
        if !time.hasZone { withoutZone += 1 }
        let path = line.texts.page(request.path)
        items.read(request.query, line.texts)
        let measure = measure(of: request, path, &tally)
        if measure != nil || !hasAgents { line.readVisitor(of: &request) }
        if !hasAgents, request.agent != nil { findAgent(in: &tally) }
        guard let measure else { return .otherRequests }
        guard 200..<300 ~= request.status || request.status == 304 else {
            if measure != .viewed { remark(request, "was answered \(request.status); answer it with 204", &tally) }
            return .failed
        }
        let day = Day(ofSecond: time.seconds)
        guard scope.contains(day) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        var visit = Digest(request.agent ?? .empty)
        guard !isRobot(request.agent, visit) else { return .robots }
        let client = ClientAddress.isNobody(request.client) ? nil : Digest(request.client)
        let referrer = line.texts.decoded(items[.referrer] ?? .empty)
        visit.mix(client?.value ?? 0)
        visit.add(referrer)
        visit.add(path)
        counted += 1
        if client == nil || clients.count < Self.maximumClients || clients[client] != nil {
            clients[client, default: 0] += 1
        }
        let campaign = (items[.campaign] ?? items[.storeCampaign]).map(line.texts.decoded) ?? .empty
        func count(_ measure: Measure) {
            visit.mix(UInt64(measure.rawValue))
            guard client == nil || tally.visits.begins(visit, at: time.seconds) else { return }
            let place = tally.tables.referrers.place(of: referrer)
            tally.tables.add(1, to: measure.rawValue, on: day, place, tally.tables.campaigns.place(of: campaign))
        }
        if measure == .copied { count(.tapped) }
        count(measure)
        return .counted
    }

    /// What a request counts as; `nil` if it is for anything else.
    private func measure(of request: LogRequest, _ path: Bytes, _ tally: inout Tally) -> Measure? {
        let isGet = request.method.isEqual(to: "GET")
        guard isGet || request.method.isEqual(to: "POST") else { return nil }
        let page = scope.pages.firstIndex { path.elementsEqual($0) }
        if let countPath = scope.countPath {
            if path.elementsEqual(countPath) { return items.measure }
        } else if page == nil, items[.referrer] != nil, let measure = items.measure {
            return measure
        }
        guard isGet else { return nil }
        if let page {
            tally.pages.insert(page)
            return .viewed
        }
        if scope.pages.isEmpty {
            let isLinked = !scope.linkedPages.isEmpty && scope.linkedPages.contains(Array(path))
            return items[.referrer] != nil || isLinked ? .viewed : nil
        }
        if items[.referrer] != nil { remark(request, "names a referrer, and isn't a page that counts", &tally) }
        return nil
    }

    /// Adds that requests for a path aren't counted although somebody may have meant them.
    private func remark(_ request: LogRequest, _ text: String, _ tally: inout Tally) {
        tally.remark("\(request.path.string.shown) \(text)", upTo: 20)
    }

    // MARK: Who sent it

    /// Without an agent, a request is a robot's if another line has one.
    private mutating func isRobot(_ agent: Bytes?, _ digest: Digest) -> Bool {
        guard let agent else { return hasAgents }
        if let isRobot = robots[digest] { return isRobot }
        if robots.count >= Self.maximumAgents { robots.removeAll(keepingCapacity: true) }
        let isRobot = Visitor.isRobot(agent)
        robots[digest] = isRobot
        return isRobot
    }

    /// With the first agent of the log, the visits that were counted without one are those of robots.
    private mutating func findAgent(in tally: inout Tally) {
        hasAgents = true
        if counted > 0, let before {
            tally.tables = before
            tally.lines[LineFate.counted.rawValue] -= counted
            tally.lines[LineFate.robots.rawValue] += counted
            (counted, clients) = (0, [:])
        }
        before = nil
    }

    /// Adds what the reader of the figures must know about this log.
    private func addRemarks(_ name: String, to tally: inout Tally) {
        let (most, ofNobody) = (clients.filter { $0.key != nil }.values.max() ?? 0, clients[nil] ?? 0)
        tally.remark("\(name): no agents, so robots can't be told apart", hasAgents ? 0 : requests)
        tally.remark("\(name): its times name no zone, and are read as UTC", withoutZone)
        tally.remark("\(name): requests without a client's address, each of which is a visit", ofNobody)
        tally.remark(
            "\(name): more than half of the requests come from one address. If a proxy is in front, log the visitor's address (nginx: real_ip_header X-Forwarded-For)",
            counted >= 10 && most * 2 > counted ? most : 0
        )
    }
}
