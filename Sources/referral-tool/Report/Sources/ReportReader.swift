import UnlockCatalog

/// A file that was named, and what an option says that it is.
struct ReportFile {
    let path: String
    var source: ReportSource?
}

/// Reads the files of a report into one tally.
struct ReportReader {
    private var scope: ReportScope
    /// Whether no option sets the scope, so that it can be that of a partial report.
    private let adoptsScope: Bool
    private let label: String?
    private let outputs: [ByteStream]

    private var tally = Tally()
    private var known = LinksTable.Known()
    private var logs: LogReader?
    private var hasRead = false

    init(scope: ReportScope, adoptsScope: Bool, label: String?, outputs: [ByteStream]) {
        self.scope = scope
        self.adoptsScope = adoptsScope
        self.label = label
        self.outputs = outputs
    }

    /// Reads the files. Tables of links are first, since they say which names are known, and partial reports before logs.
    mutating func read(_ files: [ReportFile]) throws(ToolError) {
        var rest: [ReportFile] = []
        for file in files {
            let source = if let source = file.source { source } else { try recognize(file) }
            guard source == .links else {
                rest.append(file)
                continue
            }
            let input = try ReportInput(file.path, otherThan: outputs)
            let bytes = SourceText.withoutMark(try input.readAll(atMost: SourceText.maximumSize))
            try LinksTable.read(bytes, label: label, name: input.name, into: &known)
            if file.source == nil { Self.note(input, .links) }
        }
        tally = Tally(scope: scope, known: known.names)
        logs = LogReader(scope)
        for file in rest { try read(file) }
        addLinks()
    }

    /// Looks at the beginning of a file that can be opened again.
    private func recognize(_ file: ReportFile) throws(ToolError) -> ReportSource? {
        guard file.path != "-" else { return nil }
        let input = try ReportInput(file.path, otherThan: outputs, readsPipes: false)
        defer { input.abandon() }
        return input.isFile ? Recognition.source(of: input.beginning, scope) : nil
    }

    private mutating func read(_ file: ReportFile) throws(ToolError) {
        let input = try ReportInput(file.path, otherThan: outputs)
        if input.beginning.isEmpty, file.source == nil || file.source == .log {
            // A log that was rotated just now. A file that can't be decompressed has no beginning either.
            try input.close()
            return ByteStream.note("\(whole: input.name) is empty")
        }
        guard let source = file.source ?? Recognition.source(of: input.beginning, scope) else {
            let sources: Sentence = "a log, the app's counts, a store's table, links, a guestbook or a report in JSON"
            throw .badData(
                "\(whole: input.name) isn't \(sources): it looks like \(Recognition.appearance(of: input.beginning))"
            )
        }
        defer { hasRead = true }
        if source == .log {
            try readLog(input)
        } else {
            let bytes = SourceText.withoutMark(try input.readAll(atMost: SourceText.maximumSize))
            switch source {
            case .counts: try AppCounts.count(bytes, name: input.name, in: &tally)
            case .guestbook: try GuestbookFile.count(bytes, name: input.name, in: &tally)
            case .partial: try addPartial(bytes, input.name)
            case .store:
                guard let table = StoreTable(bytes) else {
                    throw .badData(
                        "\(whole: input.name) isn't a table of campaigns: it looks like \(Recognition.appearance(of: bytes))"
                    )
                }
                table.count(in: &tally, referrers: known.campaigns)
            case .links: try LinksTable.read(bytes, label: label, name: input.name, into: &known)
            case .log: break
            }
        }
        if file.source == nil { Self.note(input, source) }
    }

    private mutating func readLog(_ input: ReportInput) throws(ToolError) {
        if input.isPlainFile, let parts = try LogParts(input.stream), let fields = logs?.extended {
            logs?.extended = try parts.count(input.beginning, fields, in: &tally)
        } else {
            let lines = RowInput(input.stream, format: .txt)
            input.beginning.withUnsafeBufferPointer { lines.unread($0) }
            try logs?.count(lines, in: &tally)
        }
        try input.close()
    }

    private mutating func addPartial(_ bytes: [UInt8], _ name: String) throws(ToolError) {
        let other = try PartialReport.scope(of: bytes, name: name)
        if adoptsScope, !hasRead {
            scope = other
            tally = Tally(scope: scope, known: known.names)
            logs = LogReader(scope)
        }
        let differences = other.differences(from: scope)
        guard differences.isEmpty else {
            throw .badData(
                "\(whole: name) was made with other values of \(name: differences.joined(separator: ", ")); make it again"
            )
        }
        try PartialReport.add(bytes, name: name, to: &tally)
    }

    private mutating func addLinks() {
        tally.labels.merge(known.labels) { _, new in new }
        guard known.rows > 0 else { return }
        tally.sources[.links, default: 0] += known.rows
        if known.rejected > 0 { tally.leaveOut("rows of a table of links without a referrer", known.rejected) }
        for (name, count) in known.counts {
            let place = tally.referrers.place(of: name.rawValue)
            tally.add(count, to: .made, on: nil, place)
        }
    }

    /// The counts of all files.
    mutating func finish() -> Tally {
        for (kind, count) in logs?.counts ?? [:] { tally.sources[kind, default: 0] &+= count }
        tally.finish()
        return tally
    }

    private static func note(_ input: ReportInput, _ source: ReportSource) {
        ByteStream.note("\(whole: input.name) is \(name: source.title)")
    }
}
