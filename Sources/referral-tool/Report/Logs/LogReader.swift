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
        let named = inPath ?? line.texts.decoded(referrer ?? .empty)
        let names = (named, line.texts.decoded(campaign ?? .empty))
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
        let mayCount = scope.countPath == nil && page == nil && namesReferrer
        if mayCount, let measure = request.event(line.texts) { return measure }
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
