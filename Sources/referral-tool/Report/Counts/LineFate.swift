/// What a line of a log was counted as. Each line has exactly one.
enum LineFate: Int, CaseIterable {
    case counted, otherRequests, failed, robots, previews, prefetches, otherDays, comments, notALine

    /// The name in JSON.
    var name: String { String(describing: self) }

    /// `1 link preview`, `2 link previews`.
    func title(_ count: Int) -> String {
        let (one, many) =
            switch self {
            case .counted: ("counted", "counted")
            case .otherRequests: ("request for something else", "requests for something else")
            case .failed: ("redirect or error", "redirects and errors")
            case .robots: ("robot", "robots")
            case .previews: ("link preview", "link previews")
            case .prefetches: ("prefetch", "prefetches")
            case .otherDays: ("request on another day", "requests on other days")
            case .comments: ("comment or empty line", "comments and empty lines")
            case .notALine: ("line that can't be read", "lines that can't be read")
            }
        return "\(Progress.grouped(count)) \(count == 1 ? one : many)"
    }
}
