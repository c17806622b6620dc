/// A number that one source has for one step. Numbers of different sources are never added.
enum Measure: Int, CaseIterable {
    case viewed, opened, tapped, copied, arrived

    static let columns = [
        Column(name: "opened", title: "Opened", source: "log: landing page"),
        Column(name: "openedCounted", title: "Opened (counted)", source: "log: count address"),
        Column(name: "tapped", title: "Tapped", source: "log: count address"),
        Column(name: "copied", title: "Copied", source: "log: count address"),
        Column(name: "arrived", title: "Arrived", source: "app"),
    ]
}

/// A step of the funnel and a column of the table: a measure, or an event or an outcome that an app counted.
struct Column {
    /// The name in JSON and CSV.
    let name: String
    let title, source: String
}
