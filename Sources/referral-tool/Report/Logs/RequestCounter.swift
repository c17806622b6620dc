/// Counts the requests of logs: which of them are for a landing page or for the count address, and which begin a visit.
struct RequestCounter {
    /// The number of user agents, and of referrers as they are written in addresses, whose meaning is remembered.
    private static let maximumRemembered = 20_000

    private let pages: [[UInt8]]
    private let countPath: [UInt8]?
    private let item: [UInt8]

    private var visitors: [Int: Visitor] = [:]
    private var referrers: [Int: NameTable.Place] = [:]
    private var generation = 0

    init(_ scope: ReportScope) {
        pages = scope.pages.map { Array($0.utf8) }
        countPath = scope.countPath.map { Array($0.utf8) }
        item = Array(scope.item.utf8)
    }

    /// Forgets the referrers' places, which are those of one tally.
    mutating func forgetReferrers() {
        referrers.removeAll(keepingCapacity: true)
        generation = 0
    }

    /// The items of a query that mean something here, still encoded. The first one of each name counts.
    fileprivate struct Items {
        var referrer: Bytes?
        var event: Bytes?
        var copied: Bytes?
        var campaign: Bytes?
        var storeCampaign: Bytes?
    }

    mutating func count(_ request: LogRequest, in tally: inout Tally) -> LineFate {
        guard let (measures, items) = measures(of: request) else { return .otherRequests }
        guard 200..<400 ~= request.status else { return .failed }
        let day = Day(ofSecond: request.time)
        guard tally.scope.contains(day) else { return .otherDays }
        guard !request.isPrefetch else { return .prefetches }
        switch visitor(of: request.agent) {
        case .robot: return .robots
        case .preview: return .previews
        case .person: break
        }
        let referrer = items.referrer ?? items.empty
        let place = self.place(of: referrer, in: &tally)
        let campaign = items.campaign ?? items.storeCampaign
        for measure in measures {
            let key = Visits.Key(
                client: request.client,
                agent: request.agent ?? items.empty,
                measure: measure,
                path: request.path,
                referrer: referrer
            )
            let name = campaign.map { FormText.decode($0) } ?? ""
            let begins = tally.visits.begins(
                key,
                at: request.time,
                Visits.Subject(measure: measure, referrer: FormText.decode(referrer), campaign: name)
            )
            guard begins else { continue }
            let campaign =
                name.isEmpty ? NameTable.place(of: NameTable.Group.none) : tally.campaigns.place(of: name)
            tally.add(1, to: measure, on: day, place, campaign: campaign)
        }
        return .counted
    }

    /// What a request counts as; `nil` if it is for anything else.
    private func measures(of request: LogRequest) -> ([Measure], Items)? {
        let isGet = request.method.isEqual(to: "GET")
        guard isGet || request.method.isEqual(to: "POST") else { return nil }
        let isPage = isGet && pages.contains { request.path.elementsEqual($0) }
        guard let query = request.query else { return isPage ? ([.viewed], Items()) : nil }
        let items = items(of: query)
        if let countPath {
            if request.path.elementsEqual(countPath) { return Self.measures(of: items).map { ($0, items) } }
        } else if !isPage, items.referrer != nil, let measures = Self.measures(of: items) {
            return (measures, items)
        }
        return isPage || pages.isEmpty && isGet && items.referrer != nil ? ([.viewed], items) : nil
    }

    private static func measures(of items: Items) -> [Measure]? {
        guard let event = items.event else { return nil }
        if event.isEqual(to: "view") { return [.opened] }
        guard event.isEqual(to: "tap") else { return nil }
        return items.copied?.isEqual(to: "1") == true ? [.tapped, .copied] : [.tapped]
    }

    private func items(of query: Bytes) -> Items {
        var items = Items()
        var position = 0
        while position < query.count {
            let end = query.firstIndex(of: ASCII.ampersand, in: position..<query.count) ?? query.count
            if let equals = query.firstIndex(of: ASCII.equals, in: position..<end) {
                let (name, value) = (query.part(position..<equals), query.part(equals + 1..<end))
                if name.elementsEqual(item) {
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

    private mutating func visitor(of agent: Bytes?) -> Visitor {
        guard let agent else { return .person }
        return Self.remembered(Self.hash(agent), &visitors) { Visitor(agent: agent) }
    }

    private mutating func place(of referrer: Bytes, in tally: inout Tally) -> NameTable.Place {
        if generation != tally.referrers.generation { referrers.removeAll(keepingCapacity: true) }
        generation = tally.referrers.generation
        let hash = Self.hash(referrer)
        if let place = referrers[hash] { return place }
        let place = tally.referrers.place(of: FormText.decode(referrer))
        // Adding a name may move the others.
        if generation != tally.referrers.generation || referrers.count >= Self.maximumRemembered {
            referrers.removeAll()
        }
        generation = tally.referrers.generation
        referrers[hash] = place
        return place
    }

    private static func remembered<Value>(_ hash: Int, _ values: inout [Int: Value], _ make: () -> Value) -> Value {
        if let value = values[hash] { return value }
        if values.count >= maximumRemembered { values.removeAll(keepingCapacity: true) }
        let value = make()
        values[hash] = value
        return value
    }

    private static func hash(_ bytes: Bytes) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }
}

private extension RequestCounter.Items {
    var empty: Bytes { Bytes(start: nil, count: 0) }
}
