import UnlockCatalog

/// A number that one source has for one step. Numbers of different sources are never added.
enum Measure: Int, CaseIterable {
    case made, viewed, opened, tapped, copied, arrived

    private static let words: [(name: String, step: String, source: String, title: String)] = [
        ("made", "Links made", "links", "links made"),
        ("opened", "Opened the page", "log: landing page", "opened (page)"),
        ("openedCounted", "Opened, as the page counts", "log: count address", "opened (counted)"),
        ("tapped", "Tapped", "log: count address", "tapped"),
        ("copied", "Copied the link", "log: count address", "copied"),
        ("arrived", "Arrived in the app", "app", "arrived"),
    ]

    /// The name in JSON and CSV.
    var name: String { Self.words[rawValue].name }

    /// The step of the funnel.
    var step: String { Self.words[rawValue].step }

    /// The source, as it stands beside the number.
    var source: String { Self.words[rawValue].source }

    /// The head of the column in a table for people.
    var title: String { Self.words[rawValue].title }
}

/// The numbers for one referrer, one campaign or one day.
struct Figures {
    /// The number of names of events, and of roads and outcomes, that are counted one by one.
    static let maximumNames = 64
    static let other: Name = "other"

    private var counts = SIMD8<Int>()
    /// The app's own events, such as a first purchase.
    private(set) var events: [Name: Int] = [:]

    subscript(measure: Measure) -> Int {
        get { counts[measure.rawValue] }
        set { counts[measure.rawValue] = newValue }
    }

    var isEmpty: Bool { counts == SIMD8() && events.isEmpty }

    mutating func add(_ count: Int, toEvent name: Name) {
        let isKept = events[name] != nil || events.count < Self.maximumNames
        events[isKept ? name : Self.other, default: 0] &+= count
    }

    static func += (left: inout Figures, right: Figures) {
        left.counts &+= right.counts
        for (name, count) in right.events { left.add(count, toEvent: name) }
    }
}
