/// Reads parts of a log: which requests are of a landing page or of the count address, and who sent them.
struct RequestReader {
    /// The number of user agents that are remembered.
    private static let maximumAgents = 20_000

    private let scope: ReportScope
    private var line: LogLine
    private var visitors: [Digest: Visitor] = [:]

    init(_ scope: ReportScope, hasFields: Bool) {
        self.scope = scope
        line = LogLine(hasFields: hasFields)
    }

    /// Reads whole lines. The texts of the batch are valid as long as the lines, and until the next ones are read.
    mutating func read(_ chunk: LogChunks.Chunk) -> LogBatch {
        var batch = LogBatch()
        line.texts.removeAll()
        let lines = chunk.lines
        guard !chunk.isLong else {
            batch.add(.notALine, lines)
            return batch
        }
        var position = 0
        while position < lines.count {
            let end = lines.firstIndex(of: ASCII.lineFeed, in: position..<lines.count) ?? lines.count
            var text = lines.part(position..<end)
            while text.last == ASCII.carriageReturn { text = text.part(0..<text.count - 1) }
            if let fate = fate(of: text, in: &batch) { batch.add(fate, text) }
            position = end + 1
        }
        return batch
    }

    /// Returns `nil` for a request that counts, which is added as an event.
    private mutating func fate(of text: Bytes, in batch: inout LogBatch) -> LineFate? {
        if text.isEmpty || line.readComment(text) { return .comments }
        guard var request = line.read(text), let time = request.time else { return .notALine }
        batch.requests += 1
        if !time.hasZone { batch.withoutZone += 1 }
        let path = LogRequest.page(request.path, line.texts)
        let items = RequestItems(request.query, scope.item, line.texts)
        let measure = measure(of: request, path, items, in: &batch)
        if measure != nil || !batch.hasAgents { line.readVisitor(of: &request) }
        if request.agent != nil { batch.hasAgents = true }
        guard let measure else { return .otherRequests }
        guard 200..<300 ~= request.status || request.status == 304 else {
            if measure != .viewed { batch.missed.append((request.path, request.status)) }
            return .failed
        }
        guard scope.contains(Day(ofSecond: time.seconds)) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        let agent = request.agent.map(Digest.init)
        if let agent, let text = request.agent {
            switch visitor(text, agent) {
            case .robot: return .robots
            case .preview: return .previews
            case .person: break
            }
        }
        let referrer = line.texts.decoded(items.referrer ?? text.part(0..<0))
        let campaign = (items.campaign ?? items.storeCampaign).map(line.texts.decoded)
        let client = Digest(request.client)
        var visit = client
        if let agent { visit.mix(agent.value) }
        visit.add(referrer)
        visit.add(path)
        batch.events.append(
            LogEvent(
                time: time.seconds,
                measure: measure,
                client: ClientAddress.isNobody(request.client) ? nil : client,
                visit: visit,
                referrer: referrer,
                campaign: campaign?.isEmpty == true ? nil : campaign,
                hasAgent: agent != nil
            )
        )
        return nil
    }

    /// What a request counts as; `nil` if it is for anything else.
    private func measure(of request: LogRequest, _ path: Bytes, _ items: RequestItems, in batch: inout LogBatch)
        -> Measure?
    {
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
            batch.pages.insert(page)
            return .viewed
        }
        if scope.pages.isEmpty {
            let isLinked = !scope.linkedPages.isEmpty && scope.linkedPages.contains(Array(path))
            return items.referrer != nil || isLinked ? .viewed : nil
        }
        if items.referrer != nil { batch.missed.append((request.path, nil)) }
        return nil
    }

    private mutating func visitor(_ agent: Bytes, _ digest: Digest) -> Visitor {
        if let visitor = visitors[digest] { return visitor }
        if visitors.count >= Self.maximumAgents { visitors.removeAll(keepingCapacity: true) }
        let visitor = Visitor(agent: agent)
        visitors[digest] = visitor
        return visitor
    }
}

/// The items of a query that mean something here, still encoded. The first one of each name counts.
struct RequestItems {
    var referrer: Bytes?
    var event: Bytes?
    var copied: Bytes?
    var campaign: Bytes?
    var storeCampaign: Bytes?

    init(_ query: Bytes?, _ referrerItem: String, _ texts: TextBuffer) {
        guard let query else { return }
        var position = 0
        while position < query.count {
            let end = query.firstIndex(of: ASCII.ampersand, in: position..<query.count) ?? query.count
            defer { position = end + 1 }
            guard let equals = query.firstIndex(of: ASCII.equals, in: position..<end) else { continue }
            let name = texts.decoded(query.part(position..<equals))
            let value = query.part(equals + 1..<end)
            if name.elementsEqual(referrerItem.utf8) {
                referrer = referrer ?? value
            } else if name.isEqual(to: "event") {
                event = event ?? value
            } else if name.isEqual(to: "copied") {
                copied = copied ?? value
            } else if name.isEqual(to: "utm_campaign") {
                campaign = campaign ?? value
            } else if name.isEqual(to: "ct") {
                storeCampaign = storeCampaign ?? value
            }
        }
    }

    /// What a request of the count address counts as.
    var measure: Measure? {
        guard let event else { return nil }
        if event.isEqual(to: "view") { return .opened }
        guard event.isEqual(to: "tap") else { return nil }
        return copied?.isEqual(to: "1") == true ? .copied : .tapped
    }
}
