import UnlockCatalog

/// Reads the files of a report into one tally.
struct ReportReader {
    enum Kind: String {
        case log = "an access log"
        case counts = "the app's counts"
        case links = "a table of links"
    }

    /// A file that was recognized. What can be opened again is closed.
    private struct Source {
        let path: String
        let name: String
        let kind: Kind
        let beginning: [UInt8]
        let time: Int
        let input: ReportInput?

        func open() throws(ToolError) -> ReportInput {
            if let input { input } else { try ReportInput(ByteStream(reading: path)) }
        }

        func readAll() throws(ToolError) -> [UInt8] {
            let bytes = try open().readAll(atMost: 512 << 20)
            return bytes.starts(with: RowInput.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
        }
    }

    private var tally = Tally()
    private var links: LinksTable
    private var app: AppCounts
    private var files: RunFiles

    init(scope: ReportScope, links: LinksTable, app: AppCounts, files: RunFiles) {
        tally.scope = scope
        (self.links, self.app, self.files) = (links, app, files)
    }

    /// Reads the files, each with what an option says that it is: tables of links first, since they say which names and pages are
    /// known, and logs in the order of time.
    mutating func read(_ paths: [(path: String, kind: Kind?)]) throws(ToolError) -> Tally {
        var sources: [Source] = []
        for (path, kind) in paths {
            guard let source = try recognize(path, kind) else { continue }
            for other in sources where source.kind == .log && other.beginning == source.beginning {
                guard other.input == nil, source.input == nil, try ReportInput.areSame(other.path, path) else {
                    continue
                }
                throw .badData("\(whole: other.path) and \(whole: path) have the same bytes; name one of them")
            }
            sources.append(source)
        }
        for source in sources where source.kind == .links { try links.read(try source.readAll(), name: source.name) }
        if links.rows > 0 { tally.add(links) }
        for source in sources where source.kind == .counts {
            try app.count(try source.readAll(), name: source.name, in: &tally)
        }
        for log in sources.filter({ $0.kind == .log }).sorted(by: { $0.time < $1.time }) {
            try LogCounter.count(try log.open(), in: &tally)
        }
        tally.finish()
        return tally
    }

    /// Recognizes a file by its beginning. Returns `nil` if it is empty.
    private mutating func recognize(_ path: String, _ known: Kind?) throws(ToolError) -> Source? {
        let stream = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        try files.read(stream)
        let input = try ReportInput(stream)
        let bytes = input.beginning
        guard !bytes.isEmpty else {
            // A log that was rotated just now. A file that can't be decompressed has no beginning either.
            try input.close()
            ByteStream.note("\(whole: input.name) is empty")
            return nil
        }
        let time = bytes.withUnsafeBufferPointer { LogLine.firstTime($0) }
        guard let kind = known ?? Self.kind(of: bytes, isLog: time != nil) else {
            let line = LogLine.shown(bytes.prefix { $0 != ASCII.lineFeed })
            throw .badData(
                "\(whole: input.name) isn't an access log that can be read, the app's counts or a table of links: its first line is \(quoted: line)"
            )
        }
        if known == nil { ByteStream.note("\(whole: input.name) is \(name: kind.rawValue)") }
        if input.isFile { input.abandon() }
        return Source(
            path: path,
            name: input.name,
            kind: kind,
            beginning: bytes,
            time: time ?? 0,
            input: input.isFile ? nil : input
        )
    }

    private static func kind(of beginning: [UInt8], isLog: Bool) -> Kind? {
        let text = String(decoding: beginning.prefix(16 << 10), as: UTF8.self)
        let isJSON = text.first { !$0.isWhitespace }.map("{[".contains) == true
        if isJSON, text.contains("\"version\""), text.contains("\"rows\"") { return .counts }
        if isLog { return .log }
        return (isJSON ? text.contains("\"link\"") : LinksTable.isHeader(of: beginning)) ? .links : nil
    }
}
