/// What a line of a log was counted as. Each line has exactly one.
enum LineFate: Int, CaseIterable {
    case counted, otherRequests, failed, robots, previews, prefetches, otherDays, comments, notALine

    /// The name in JSON.
    var name: String { String(describing: self) }

    func title(_ count: Int) -> String {
        let isOne = count == 1
        return switch self {
        case .counted: "counted"
        case .otherRequests: isOne ? "request for something else" : "requests for something else"
        case .failed: isOne ? "redirect or error" : "redirects and errors"
        case .robots: isOne ? "robot" : "robots"
        case .previews: isOne ? "link preview" : "link previews"
        case .prefetches: isOne ? "prefetch" : "prefetches"
        case .otherDays: isOne ? "request on another day" : "requests on other days"
        case .comments: isOne ? "comment or empty line" : "comments and empty lines"
        case .notALine: isOne ? "line that can't be read" : "lines that can't be read"
        }
    }
}
