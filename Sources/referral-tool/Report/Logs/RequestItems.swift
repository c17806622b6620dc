/// The items of a query that mean something here, still encoded. The first one of each name counts.
struct RequestItems {
    enum Item: Int {
        case referrer, event, copied, campaign, storeCampaign
    }

    private let names: [[UInt8]]
    private var values: [Bytes?]

    init(_ referrer: String) {
        names = [referrer, "event", "copied", "utm_campaign", "ct"].map { Array($0.utf8) }
        values = names.map { _ in nil }
    }

    subscript(item: Item) -> Bytes? { values[item.rawValue] }

    mutating func read(_ query: Bytes?, _ texts: TextBuffer) {
        for index in values.indices { values[index] = nil }
        let query = query ?? .empty
        var position = 0
        while position < query.count {
            let end = query.firstIndex(of: ASCII.ampersand, in: position..<query.count) ?? query.count
            defer { position = end + 1 }
            guard let equals = query.firstIndex(of: ASCII.equals, in: position..<end) else { continue }
            let name = texts.decoded(query.part(position..<equals))
            let index = names.firstIndex { name.elementsEqual($0) }
            if let index, values[index] == nil { values[index] = query.part(equals + 1..<end) }
        }
    }

    /// What a request of the count address counts as. A copy is a tap too.
    var measure: Measure? {
        guard let event = self[.event] else { return nil }
        if event.isEqual(to: "view") { return .opened }
        guard event.isEqual(to: "tap") else { return nil }
        return self[.copied]?.isEqual(to: "1") == true ? .copied : .tapped
    }
}
