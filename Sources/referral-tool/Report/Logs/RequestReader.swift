/// Reads parts of a log: which requests are of a landing page or of the count address, and who sent them.
struct RequestReader {
    /// The number of user agents, and of names as they are written in addresses, that are remembered.
    private static let maximumRemembered = 20_000

    private let scope: ReportScope
    private var line = LogLine()
    private var visitors: [Digest: Visitor] = [:]
    private var names: [Digest: LogEvent.Name] = [:]
    private var clients: [Digest] = []
    private let empty = Bytes(start: nil, count: 0)

    init(_ scope: ReportScope) { self.scope = scope }

    /// The items of a query that mean something here, still encoded. The first one of each name counts.
    private struct Items {
        var referrer: Bytes?
        var event: Bytes?
        var copied: Bytes?
        var campaign: Bytes?
        var storeCampaign: Bytes?

        /// What a request of the count address counts as.
        var measure: Measure? {
            guard let event else { return nil }
            if event.isEqual(to: "view") { return .opened }
            guard event.isEqual(to: "tap") else { return nil }
            return copied?.isEqual(to: "1") == true ? .copied : .tapped
        }
    }

    /// Reads whole lines. Those of a log with `#Fields:` are under these fields until the next ones.
    mutating func read(_ chunk: LineChunks.Chunk) -> LogBatch {
        var batch = LogBatch()
        batch.events.reserveCapacity(chunk.lines.count / 256)
        line.fields = chunk.fields
        clients.removeAll(keepingCapacity: true)
        var position = 0
        let lines = chunk.lines
        while position < lines.count {
            let end = lines.firstIndex(of: ASCII.lineFeed, in: position..<lines.count) ?? lines.count
            var text = lines.part(position..<end)
            while text.last == ASCII.carriageReturn { text = text.part(0..<text.count - 1) }
            if let fate = chunk.isLong ? .notALine : fate(of: text, in: &batch) {
                batch.fates[fate.rawValue] += 1
                if fate == .notALine, batch.strangeLines.count < Tally.maximumShown {
                    batch.strangeLines.append(LogLine.shown(text))
                }
            }
            line.texts.removeAll()
            position = end + 1
        }
        addFrequentClient(to: &batch.facts)
        return batch
    }

    /// Returns `nil` for a request that counts, which is added as an event.
    private mutating func fate(of text: Bytes, in batch: inout LogBatch) -> LineFate? {
        guard let first = text.first else { return .comments }
        if first == ASCII.hash {
            if let fields = LogFields(text) { line.fields = fields }
            return .comments
        }
        var request = LogRequest()
        guard line.read(text, into: &request), let time = request.time else { return .notALine }
        batch.facts.requests += 1
        if !time.hasZone { batch.facts.withoutZone += 1 }
        let path = LogRequest.page(request.path, line.texts)
        let items = request.query.map(items) ?? Items()
        let measure = measure(of: request, path, items, in: &batch.facts)
        if measure != nil || !batch.facts.hasAgents { line.addVisitor(to: &request) }
        let hasAgent = !request.agent.isEmpty && !request.agent.isEqual(to: "-")
        if hasAgent { batch.facts.hasAgents = true }
        guard let measure else { return .otherRequests }
        guard 200..<300 ~= request.status || request.status == 304 else {
            if measure != .viewed { batch.facts.addRefusal(request.path, request.status) }
            return .failed
        }
        let client = Digest(request.client)
        let isNobody = ClientAddress.isNobody(request.client)
        clients.append(isNobody ? Digest(empty) : client)
        guard scope.contains(Day(ofSecond: time.seconds)) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        let agent = hasAgent ? request.agent : empty
        let agentDigest = Digest(agent)
        if hasAgent {
            switch visitor(agent, agentDigest) {
            case .robot: return .robots
            case .preview: return .previews
            case .person: break
            }
        }
        let referrer = name(items.referrer ?? empty)
        let campaign = (items.campaign ?? items.storeCampaign).map { name($0) }
        var visit: Digest?
        if isNobody {
            batch.facts.ofNobody += 1
        } else {
            var key = client
            key.add(agentDigest)
            key.add(referrer.digest)
            key.add(path)
            visit = key
        }
        batch.events.append(
            LogEvent(
                time: time.seconds,
                measure: measure,
                visit: visit,
                referrer: referrer,
                campaign: campaign.flatMap { $0.name.isEmpty ? nil : $0 },
                hasAgent: hasAgent
            )
        )
        return nil
    }

    /// What a request counts as; `nil` if it is for anything else.
    private func measure(of request: LogRequest, _ path: Bytes, _ items: Items, in facts: inout LogFacts) -> Measure? {
        let isGet = request.method.isEqual(to: "GET")
        guard isGet || request.method.isEqual(to: "POST") else { return nil }
        let page = scope.pages.firstIndex { path.elementsEqual($0.page) }
        if let countPath = scope.countPath {
            if path.elementsEqual(countPath.page) { return items.measure }
        } else if page == nil, items.referrer != nil, let measure = items.measure {
            return measure
        }
        guard isGet else { return nil }
        if let page {
            facts.pages.insert(page)
            return .viewed
        }
        if scope.pages.isEmpty {
            let isPage = items.referrer != nil || !scope.linkedPages.isEmpty && scope.linkedPages.contains(Array(path))
            return isPage ? .viewed : nil
        }
        if items.referrer != nil { facts.addPath(request.path) }
        return nil
    }

    private func items(of query: Bytes) -> Items {
        var items = Items()
        var position = 0
        while position < query.count {
            let end = query.firstIndex(of: ASCII.ampersand, in: position..<query.count) ?? query.count
            if let equals = query.firstIndex(of: ASCII.equals, in: position..<end) {
                var name = query.part(position..<equals)
                let value = query.part(equals + 1..<end)
                if name.firstIndex(of: ASCII.percent, in: name.indices) != nil {
                    name = line.texts.copy(PercentEncoding.decodeForm(name).utf8)
                }
                if name.elementsEqual(scope.item.utf8) {
                    items.referrer = items.referrer ?? value
                } else if name.isEqual(to: "event") {
                    items.event = items.event ?? value
                } else if name.isEqual(to: "copied") {
                    items.copied = items.copied ?? value
                } else if name.isEqual(to: "utm_campaign") {
                    items.campaign = items.campaign ?? value
                } else if name.isEqual(to: "ct") {
                    items.storeCampaign = items.storeCampaign ?? value
                }
            }
            position = end + 1
        }
        return items
    }

    private mutating func visitor(_ agent: Bytes, _ digest: Digest) -> Visitor {
        Self.remembered(digest, &visitors) { Visitor(agent: agent) }
    }

    /// The decoded name: `anna` and `%61nna` are one.
    private mutating func name(_ text: Bytes) -> LogEvent.Name {
        Self.remembered(Digest(text), &names) {
            let name = PercentEncoding.decodeForm(text)
            return LogEvent.Name(name: name, digest: Digest(name))
        }
    }

    private static func remembered<Value>(_ digest: Digest, _ values: inout [Digest: Value], _ make: () -> Value)
        -> Value
    {
        if let value = values[digest] { return value }
        if values.count >= maximumRemembered { values.removeAll(keepingCapacity: true) }
        let value = make()
        values[digest] = value
        return value
    }

    /// Finds the client that has more than half of the requests, by Boyer and Moore's vote.
    private func addFrequentClient(to facts: inout LogFacts) {
        var (candidate, votes) = (Digest(empty), 0)
        for client in clients {
            if votes == 0 { candidate = client }
            votes += client == candidate ? 1 : -1
        }
        let count = clients.count { $0 == candidate }
        facts.visits = clients.count
        if count * 2 > clients.count, candidate != Digest(empty) { facts.frequentClients[candidate] = count }
    }
}
