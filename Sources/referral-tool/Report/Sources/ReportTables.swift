import ReferralFoundation

/// The counts of devices, as `ArrivalCounts` exports them: one JSON object per line.
///
///     {"version":1,"app":"1300230302","rows":[{"day":"2026-10-01","road":"pasteboard","outcome":"found","referrer":"anna","count":3}]}
struct AppCounts {
    /// The app whose counts are read. Without one, it is that of the first export, and another one is an error.
    let chosen: String?
    private(set) var app: String?

    private struct Export: Decodable {
        let version, dropped: Int?
        let app: String?
        let rows: [Row]
    }

    private struct Row: Decodable {
        var day, road, outcome, referrer, group, event: String?
        var count: Int?
    }

    mutating func count(_ stream: ByteStream, in tally: Tally) throws(ToolError) {
        let input = RowInput(stream, format: .jsonl)
        while let block = try input.next() {
            var rows = RowScanner(block.bytes, format: .jsonl, line: block.line)
            while let row = rows.next() {
                if row.bytes.allSatisfy(ASCII.isWhiteSpace) { continue }
                try count(row.bytes, at: "\(whole: stream.name):\(row.line)", in: tally)
            }
        }
    }

    private mutating func count(_ line: Bytes, at place: Sentence, in tally: Tally) throws(ToolError) {
        guard let export = try? JSONDecoder().decode(Export.self, from: Data(line)), export.version == 1 else {
            throw .badData("\(place) isn't an export of the app's counts, of version 1 and on one line")
        }
        app = chosen ?? app ?? export.app
        if let app, let other = export.app, app != other {
            let both: Sentence = "these counts are of the app \(name: other), and others of \(name: app)"
            guard chosen != nil else { throw .badData("\(place): \(both); choose one with --app-id") }
            tally.remark("exports of another app")
        } else {
            for row in export.rows { Self.count(row, in: tally) }
            tally.remark("the app's counts of the oldest days, which devices had no room for", export.dropped ?? 0)
        }
    }

    private static func count(_ row: Row, in tally: Tally) {
        let (count, names) = (row.count ?? 1, [row.road, row.outcome, row.event].compactMap(\.self))
        let isReadable = 0...1_000_000_000 ~= count && !names.isEmpty && names.allSatisfy(\.isName)
        guard let day = row.day.flatMap(Day.init), isReadable else {
            return tally.remark("rows of the app's counts that can't be read")
        }
        guard tally.scope.contains(day) else { return tally.remark("rows of the app's counts on other days") }
        let group = row.group.flatMap(NameTable.Group.init).map(NameTable.place)
        let referrer = group ?? tally.tables.referrers.place(of: row.referrer ?? "")
        let column = tally.column(of: row.event ?? row.outcome ?? "unknown")
        if row.event != nil { return tally.tables.add(count, to: column, on: day, referrer) }
        let road = tally.tables.roads.place(of: row.road ?? "unknown")
        tally.tables.roads.rows[road].add(count, to: column)
        guard row.outcome == Verdict.found.rawValue else { return }
        tally.tables.add(count, to: Measure.arrived.rawValue, on: day, referrer)
    }
}

/// What `links` wrote: a table with the column `link`, and perhaps `referrer` and `name`, the name of a person.
enum LinksTable {
    static func count(_ stream: ByteStream, in tally: Tally) throws(ToolError) {
        let input = RowInput(stream, format: .csv)
        let names: [Name] = ["link", "referrer", "name"]
        let columns = try Columns(firstLineOf: input, isUsed: names.contains)
        let indexes = names.map(columns.index)
        guard indexes[0] != nil || indexes[1] != nil else {
            throw .badData("\(whole: stream.name) isn't a table of links: its first line names no column 'link'")
        }
        while let block = try input.next() {
            var scanner = RowScanner(block.bytes, format: input.format)
            while let row = scanner.next() {
                let isRow = !block.isCut && row.problem == nil && row.cells.count == columns.names.count
                let cells = indexes.map { isRow ? $0.flatMap { row.text(of: row.cells[$0]) } : nil }
                if !row.isBlank { count(link: cells[0], referrer: cells[1], name: cells[2], in: tally) }
            }
        }
    }

    /// Counts a link. Its referrer is the cell `referrer`, or else the item of the link's address, or that of its payload.
    private static func count(link: String?, referrer: String?, name: String?, in tally: Tally) {
        let (scope, texts) = (tally.scope, TextBuffer())
        let (page, named) = (link ?? "").withUTF8Bytes { bytes -> ([UInt8], String?) in
            var request = LogRequest()
            request.setTarget(bytes)
            let path = request.path
            let item = request.item(scope.item, texts).map(PercentEncoding.decodeForm)
            guard let referrer, item == nil, let (pattern, last) = texts.pattern(path) else {
                return (Array(texts.page(path)), item)
            }
            // The last name in the path may be the referrer.
            let name = PercentEncoding.decode(last)
            return (pattern, name.utf8.elementsEqual(referrer.utf8) ? name : nil)
        }
        let referrer = referrer ?? named ?? link.flatMap { try? ReferralLink($0).referral.referrer } ?? ""
        guard referrer.isName else { return tally.remark("rows of a table of links without a referrer") }
        if named != nil { tally.scope.linkedPages.insert(page) }
        let place = tally.tables.referrers.place(of: referrer, isKnown: true)
        tally.tables.referrers.rows[place].isLinked = true
        if let name, !name.isEmpty, name != referrer, tally.tables.referrers.rows[place].label == nil {
            tally.tables.referrers.rows[place].label = String(name.unicodeScalars.prefix(200)).onOneLine
        }
    }
}
