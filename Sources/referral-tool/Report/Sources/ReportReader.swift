/// Reads the files of a report into one tally.
struct ReportReader {
    enum Kind: CaseIterable { case links, counts, log }

    private var tally = Tally()
    private var app: AppCounts
    private var files: RunFiles
    private var sources: [(source: ReportSource, kind: Kind, time: Int)] = []

    init(_ scope: ReportScope, _ app: AppCounts, _ files: RunFiles) {
        tally.scope = scope
        (self.app, self.files) = (app, files)
    }

    /// Reads the files, each with what an option says that it is: tables of links first, since they say which names and pages are
    /// known, and logs in the order of time.
    mutating func read(_ paths: [(path: String, kind: Kind?)]) throws(ToolError) -> Tally {
        for (path, kind) in paths { try recognize(path, kind) }
        for kind in Kind.allCases {
            for (source, _, _) in sources.filter({ $0.kind == kind }).sorted(by: { $0.time < $1.time }) {
                switch kind {
                case .links: try LinksTable.count(try source.readAll(), source.name, in: &tally)
                case .counts: try app.count(try source.readAll(), source.name, in: &tally)
                case .log: tally = try LogCounter.count(source, in: tally)
                }
            }
        }
        return tally
    }

    /// Recognizes a file by its beginning, unless it is empty: a log that was rotated just now.
    private mutating func recognize(_ path: String, _ known: Kind?) throws(ToolError) {
        let stream = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        try files.read(stream)
        guard let source = try ReportSource(stream) else { return }
        let time = Self.firstTime(source.beginning)
        guard let kind = known ?? Self.kind(of: source.beginning, isLog: time != nil) else {
            throw source.error(isNot: "an access log that can be read, the app's counts or a table of links")
        }
        // Two logs of different requests don't have the same beginning.
        let same = sources.first { $0.source.beginning.elementsEqual(source.beginning) }
        if kind == .log, let other = same?.source.name {
            throw .badData("\(whole: other) and \(whole: source.name) have the same lines; name one of them")
        }
        sources.append((source, kind, time ?? 0))
    }

    /// The time of the first request of a log; `nil` if none of its first lines is one.
    private static func firstTime(_ beginning: Bytes) -> Int? {
        var reader = LogLine()
        for line in beginning.split(separator: ASCII.lineFeed).prefix(200).map(Bytes.init(rebasing:)) {
            if !reader.readComment(line), let time = reader.read(line)?.time { return time.seconds }
        }
        return nil
    }

    private static func kind(of beginning: Bytes, isLog: Bool) -> Kind? {
        let text = String(decoding: beginning.prefix(16 << 10), as: UTF8.self)
        if text.contains("\"version\""), text.contains("\"rows\"") { return .counts }
        return isLog ? .log : text.prefix { !$0.isNewline }.lowercased().contains("link") ? .links : nil
    }
}
