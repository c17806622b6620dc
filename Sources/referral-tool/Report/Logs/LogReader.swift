/// Reads blocks of a log: which requests are of a landing page or of the count address, and who sent them. Each thread has its own.
struct LogReader {
    private let scope: ReportScope
    /// Whether comments name the fields of the lines after them.
    private let hasFields: Bool
    /// Whether the log has agents, so that a request without one is a robot's.
    private let hasAgents: Bool
    private var line = LogLine()
    /// Whether an agent is a robot's, for at most 20,000 of them.
    private var robots: [Digest: Bool] = [:]

    init(_ scope: ReportScope, hasFields: Bool, hasAgents: Bool) {
        (self.scope, self.hasFields, self.hasAgents) = (scope, hasFields, hasAgents)
    }

    mutating func read(_ block: RowBlock) -> LogBatch {
        var batch = LogBatch(block: block)
        batch.requests.reserveCapacity(64)
        line.texts = batch.texts
        for text in LogLines(block.bytes) {
            let fate = block.isCut ? .notALine : fate(of: text, &batch)
            batch.lines[fate.rawValue] += 1
            if fate == .notALine { batch.strangeLines.append(text) }
        }
        return batch
    }

    private mutating func fate(of text: Bytes, _ batch: inout LogBatch) -> LineFate {
        if text.isEmpty || (hasFields ? line.readComment(text) : text.first == ASCII.hash) { return .comments }
        guard var request = line.read(text), let time = request.time else { return .notALine }
        if !time.hasZone { batch.withoutZone += 1 }
        request.path = line.texts.page(request.path)
        let referrer = request.item(scope.item, line.texts)
        guard let measure = measure(of: request, namesReferrer: referrer != nil, &batch) else { return .otherRequests }
        guard 200..<300 ~= request.status || request.status == 304 else {
            let text = "\(request.path.string.shown) was answered \(request.status); answer it with 204"
            if measure != .viewed { batch.remarks.append(text) }
            return .failed
        }
        guard scope.contains(Day(ofSecond: time.seconds)) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        line.readVisitor(of: &request)
        request.visit = Digest(request.agent ?? .empty)
        guard !isRobot(request) else { return .robots }
        let campaign = request.item("utm_campaign", line.texts) ?? request.item("ct", line.texts)
        (request.measure, request.referrer) = (measure, line.texts.decoded(referrer ?? .empty))
        request.campaign = line.texts.decoded(campaign ?? .empty)
        batch.requests.append(request)
        return .counted
    }

    /// What a request counts as; `nil` if it is for anything else.
    private func measure(of request: LogRequest, namesReferrer: Bool, _ batch: inout LogBatch) -> Measure? {
        let isGet = request.method.isEqual(to: "GET")
        guard isGet || request.method.isEqual(to: "POST") else { return nil }
        let (path, page) = (request.path, scope.pages.firstIndex { request.path.elementsEqual($0) })
        if let countPath = scope.countPath, path.elementsEqual(countPath) { return request.event(line.texts) }
        let mayCount = scope.countPath == nil && page == nil && namesReferrer
        if mayCount, let measure = request.event(line.texts) { return measure }
        guard isGet else { return nil }
        if let page { batch.pages.insert(page) }
        let isLinked = !scope.linkedPages.isEmpty && scope.linkedPages.contains(Array(path))
        if page != nil || scope.pages.isEmpty && (namesReferrer || isLinked) { return .viewed }
        if namesReferrer { batch.remarks.append("\(path.string.shown) names a referrer, and isn't a page that counts") }
        return nil
    }

    private mutating func isRobot(_ request: LogRequest) -> Bool {
        guard let agent = request.agent else { return hasAgents }
        if let isRobot = robots[request.visit] { return isRobot }
        if robots.count >= 20_000 { robots.removeAll(keepingCapacity: true) }
        let isRobot = Visitor.isRobot(agent)
        robots[request.visit] = isRobot
        return isRobot
    }
}
