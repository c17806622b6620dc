import UnlockCatalog

/// Reads the files of a report into one tally.
struct ReportReader {
    enum Kind: String {
        case log = "an access log"
        case counts = "the app's counts"
        case links = "a table of links"
    }

    /// The size of a document that is read at once.
    private static let maximumSize = 512 << 20

    private var tally = Tally()
    private var links: LinksTable
    private var app: AppCounts
    private var files: RunFiles
    /// The files that were recognized; those that can be opened again are closed.
    private var sources: [(input: ReportInput, kind: Kind, time: Int)] = []

    init(scope: ReportScope, links: LinksTable, app: AppCounts, files: RunFiles) {
        tally.scope = scope
        (self.links, self.app, self.files) = (links, app, files)
    }

    /// Reads the files, each with what an option says that it is: tables of links first, since they say which names and pages are
    /// known, and logs in the order of time.
    mutating func read(_ paths: [(path: String, kind: Kind?)]) throws(ToolError) -> Tally {
        for (path, kind) in paths { try recognize(path, kind) }
        for source in sources where source.kind == .links {
            try links.read(try source.input.reopened().readAll(atMost: Self.maximumSize), name: source.input.name)
        }
        if links.rows > 0 { tally.add(links) }
        for source in sources where source.kind == .counts {
            let bytes = try source.input.reopened().readAll(atMost: Self.maximumSize)
            try app.count(bytes, name: source.input.name, in: &tally)
        }
        for log in sources.filter({ $0.kind == .log }).sorted(by: { $0.time < $1.time }) {
            try LogCounter.count(try log.input.reopened(), in: &tally)
        }
        tally.finish()
        return tally
    }

    /// Recognizes a file by its beginning, unless it is empty.
    private mutating func recognize(_ path: String, _ known: Kind?) throws(ToolError) {
        let stream = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        try files.read(stream)
        let input = try ReportInput(path, stream)
        let bytes = input.beginning
        guard !bytes.isEmpty else {
            // A log that was rotated just now. A file that can't be decompressed has no beginning either.
            try input.close()
            return ByteStream.note("\(whole: input.name) is empty")
        }
        let time = bytes.withUnsafeBufferPointer { LogLine.firstTime($0) }
        guard let kind = known ?? Self.kind(of: bytes, isLog: time != nil) else {
            let line = LogLine.shown(bytes.prefix { $0 != ASCII.lineFeed })
            throw .badData(
                "\(whole: input.name) isn't an access log that can be read, the app's counts or a table of links: its first line is \(quoted: line)"
            )
        }
        if known == nil { ByteStream.note("\(whole: input.name) is \(name: kind.rawValue)") }
        for other in sources where kind == .log {
            guard try input.isSame(as: other.input) else { continue }
            throw .badData("\(whole: other.input.path) and \(whole: path) have the same bytes; name one of them")
        }
        if input.isFile { input.abandon() }
        sources.append((input, kind, time ?? 0))
    }

    private static func kind(of beginning: [UInt8], isLog: Bool) -> Kind? {
        let text = String(decoding: beginning.prefix(16 << 10), as: UTF8.self)
        let isJSON = text.first { !$0.isWhitespace }.map("{[".contains) == true
        if isJSON, text.contains("\"version\""), text.contains("\"rows\"") { return .counts }
        if isLog { return .log }
        return (isJSON ? text.contains("\"link\"") : LinksTable.isHeader(of: beginning)) ? .links : nil
    }
}
