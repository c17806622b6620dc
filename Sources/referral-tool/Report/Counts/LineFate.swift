/// What a line of a log was counted as. Each line has exactly one.
enum LineFate: String, CaseIterable {
    case counted
    /// Requests for anything else, and other methods.
    case otherRequests
    /// Requests with a status below 200 or from 400 up.
    case failed
    case robots
    case previews
    case prefetches
    /// Requests on days that the report isn't about.
    case otherDays
    /// Comments, such as those at the beginning of CloudFront's logs, and empty lines.
    case comments
    /// Lines that aren't of a log.
    case notALine

    var title: String {
        switch self {
        case .counted: "counted"
        case .otherRequests: "other requests"
        case .failed: "failed requests"
        case .robots: "robots"
        case .previews: "link previews"
        case .prefetches: "prefetches"
        case .otherDays: "on other days"
        case .comments: "comments and empty lines"
        case .notALine: "not a line of a log"
        }
    }
}
