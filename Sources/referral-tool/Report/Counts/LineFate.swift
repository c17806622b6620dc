/// What a line of a log was counted as. Each line has exactly one. The first ones are requests.
enum LineFate: Int, CaseIterable {
    case counted, otherRequests, failed, robots, prefetches, otherDays, comments, notALine

    private static let titles = [
        "counted", "requests for something else", "redirects and errors", "robots and link previews", "prefetches",
        "requests on other days", "comments and empty lines", "lines that can't be read",
    ]

    var title: String { Self.titles[rawValue] }
}
