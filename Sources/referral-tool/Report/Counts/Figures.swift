import UnlockCatalog

/// The numbers for one referrer, one campaign, one day or one period.
struct Figures: Equatable {
    /// The names of events that are counted one by one. Others are counted as ``otherEvent``.
    static let maximumEvents = 20
    static let otherEvent: Name = "other events"

    private var counts = SIMD16<Int>()
    /// The app's own events, such as a first purchase.
    private(set) var events: [Name: Int] = [:]

    subscript(measure: Measure) -> Int {
        get { counts[measure.rawValue] }
        _modify { yield &counts[measure.rawValue] }
    }

    var isEmpty: Bool { counts == SIMD16() && events.isEmpty }

    /// Adds to an event.
    mutating func add(_ count: Int, toEvent name: Name) {
        events.add(count, to: name, keepingFirst: Self.maximumEvents, rest: Self.otherEvent)
    }

    static func += (left: inout Figures, right: Figures) {
        left.counts &+= right.counts
        for (name, count) in right.events { left.add(count, toEvent: name) }
    }
}

/// The numbers before and after a day; all of them are before it if there is no comparison.
struct PeriodFigures {
    var before = Figures()
    /// Empty without a comparison, since a table has many figures, and they are large.
    private var second: [Figures] = []

    var after: Figures {
        get { second.first ?? Figures() }
        _modify {
            if second.isEmpty { second.append(Figures()) }
            yield &second[0]
        }
    }

    subscript(period: Period) -> Figures {
        get { period == .before ? before : after }
        // In place, since the figures are large.
        _modify { if period == .before { yield &before } else { yield &after } }
    }

    var isEmpty: Bool { before.isEmpty && after.isEmpty }

    static func += (left: inout PeriodFigures, right: PeriodFigures) {
        left.before += right.before
        if !right.second.isEmpty { left.after += right.after }
    }
}

/// One of the two periods that `--compare` sets against each other.
enum Period: String, CaseIterable {
    case before, after
}
