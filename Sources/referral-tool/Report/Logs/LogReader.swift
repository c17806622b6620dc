/// Reads blocks of a log: which requests are of a landing page or of the count address, and who sent them. Each thread has its own.
struct LogReader {
    /// The number of user agents that are remembered.
    private static let maximumAgents = 20_000

    private let scope: ReportScope
    private var line = LogLine()
    private var items: RequestItems
    /// Whether an agent is a robot's.
    private var robots: [Digest: Bool] = [:]
    private var hasAgents = false

    init(_ scope: ReportScope) { (self.scope, items) = (scope, RequestItems(scope.item)) }

    /// Reads the lines of a block, before which a comment may have named the fields.
    mutating func read(_ block: RowBlock, _ fields: LogLine.Fields?) -> LogBatch {
        var batch = LogBatch(block: block)
        (line.fields, line.texts) = (fields, batch.texts)
        let bytes = block.bytes
        var position = 0
        while position < bytes.count {
            let end = bytes.firstIndex(of: ASCII.lineFeed, in: position..<bytes.count) ?? bytes.count
            var text = bytes.part(position..<end)
            while text.last == ASCII.carriageReturn { text = text.part(0..<text.count - 1) }
            let fate = block.isCut ? .notALine : fate(of: text, &batch)
            batch.lines[fate.rawValue] += 1
            if fate == .notALine { batch.strangeLines.append(text) }
            position = end + 1
        }
        batch.hasAgents = hasAgents
        return batch
    }

    private mutating func fate(of text: Bytes, _ batch: inout LogBatch) -> LineFate {
        if text.isEmpty || line.readComment(text) { return .comments }
        guard var request = line.read(text), let time = request.time else { return .notALine }
        if !time.hasZone { batch.withoutZone += 1 }
        request.path = batch.texts.page(request.path)
        items.read(request.query, batch.texts)
        let measure = measure(of: request, &batch)
        if measure != nil || !hasAgents { line.readVisitor(of: &request) }
        hasAgents = hasAgents || request.agent != nil
        guard let measure else { return .otherRequests }
        guard 200..<300 ~= request.status || request.status == 304 else {
            if measure != .viewed { batch.remark(request, "was answered \(request.status); answer it with 204") }
            return .failed
        }
        guard scope.contains(Day(ofSecond: time.seconds)) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        if let agent = request.agent, isRobot(agent) { return .robots }
        request.measure = measure
        request.referrer = batch.texts.decoded(items[.referrer] ?? .empty)
        request.campaign = batch.texts.decoded(items[.campaign] ?? items[.storeCampaign] ?? .empty)
        batch.requests.append(request)
        return .counted
    }

    /// What a request counts as; `nil` if it is for anything else.
    private func measure(of request: LogRequest, _ batch: inout LogBatch) -> Measure? {
        let isGet = request.method.isEqual(to: "GET")
        guard isGet || request.method.isEqual(to: "POST") else { return nil }
        let (path, namesReferrer) = (request.path, items[.referrer] != nil)
        let page = scope.pages.firstIndex { path.elementsEqual($0) }
        if let countPath = scope.countPath {
            if path.elementsEqual(countPath) { return items.measure }
        } else if page == nil, namesReferrer, let measure = items.measure {
            return measure
        }
        guard isGet else { return nil }
        if let page {
            batch.pages.insert(page)
            return .viewed
        }
        if scope.pages.isEmpty {
            let isLinked = !scope.linkedPages.isEmpty && scope.linkedPages.contains(Array(path))
            return namesReferrer || isLinked ? .viewed : nil
        }
        if namesReferrer { batch.remark(request, "names a referrer, and isn't a page that counts") }
        return nil
    }

    private mutating func isRobot(_ agent: Bytes) -> Bool {
        let digest = Digest(agent)
        if let isRobot = robots[digest] { return isRobot }
        if robots.count >= Self.maximumAgents { robots.removeAll(keepingCapacity: true) }
        let isRobot = Visitor.isRobot(agent)
        robots[digest] = isRobot
        return isRobot
    }
}

private extension LogBatch {
    mutating func remark(_ request: LogRequest, _ text: String) { remarks.append("\(request.path.string.shown) \(text)") }
}
