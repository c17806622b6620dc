import UnlockCatalog

/// A number that one source has for one step. Numbers of different sources are never added.
enum Measure: Int, CaseIterable {
    case made, viewed, opened, tapped, copied, arrived

    /// The name in JSON and CSV.
    var name: String { ["made", "opened", "openedCounted", "tapped", "copied", "arrived"][rawValue] }

    /// The source, as it stands beside the number.
    var source: String {
        ["links", "log: landing page", "log: count address", "log: count address", "log: count address", "app"][
            rawValue
        ]
    }

    /// The step of the funnel.
    var step: String {
        [
            "Links made", "Opened the page", "Opened, as the page counts", "Tapped", "Copied the link",
            "Arrived in the app",
        ][rawValue]
    }

    /// The head of the column in a table for people.
    var title: String { ["links made", "opened (page)", "opened (counted)", "tapped", "copied", "arrived"][rawValue] }
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
