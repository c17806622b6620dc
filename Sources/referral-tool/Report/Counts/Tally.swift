/// The counts of a report. It contains no address of a client.
final class Tally {
    /// Further events, outcomes and remarks aren't told apart.
    private static let maximumNames = 100

    /// What a row of a table is about.
    enum Grouping: String, CaseIterable {
        case referrer, campaign, day, road
    }

    struct Tables {
        var referrers = NameTable()
        var campaigns = NameTable()
        private var days = NameTable()
        /// How the app's checks ended, by road.
        var roads = NameTable()
        private var lastDay: (day: Day, place: Int)?

        subscript(grouping: Grouping) -> NameTable {
            let tables: [Grouping: NameTable] = [.referrer: referrers, .campaign: campaigns, .day: days]
            return tables[grouping] ?? roads
        }

        /// Adds to the numbers of everything that a request or a row is about. The first place of a table is that of no name.
        mutating func add(_ count: Int, to column: Int, on day: Day, _ referrer: Int, _ campaign: Int = 0) {
            referrers.rows[referrer].add(count, to: column)
            campaigns.rows[campaign].add(count, to: column)
            let place = lastDay.flatMap { $0.day == day ? $0.place : nil } ?? days.place(of: day.text)
            lastDay = (day, place)
            days.rows[place].add(count, to: column)
        }
    }

    var scope = ReportScope()
    @exclusivity(unchecked) var tables = Tables()
    /// The columns of all tables: the measures, and the events and outcomes in the order of their first appearance.
    private(set) var columns = Measure.columns
    /// The number of lines of each fate.
    var lines = [Int](repeating: 0, count: LineFate.allCases.count)
    /// The first three lines that can't be read, without addresses.
    var strangeLines: [String] = []
    /// What the reader of the figures must know, with the number of requests or rows that it is about.
    private var remarks: [Name: Int] = [:]
    @exclusivity(unchecked) var visits = Visits()
    /// The named pages that were requested.
    var pages: Set<Int> = []

    /// The columns of a table that have a number.
    func columns(of grouping: Grouping) -> [Int] {
        let totals = tables[grouping].totals
        return columns.indices.filter { totals[$0] != 0 }
    }

    /// Adds to what the reader must know. Beyond a limit, it isn't a new remark.
    func remark(_ text: String, _ count: Int = 1, upTo limit: Int = .max) {
        let isKept = remarks.count < limit || remarks[Name(text)] != nil
        if count > 0, isKept { remarks[Name(text), default: 0] &+= count }
    }

    /// The index of the column of an event or an outcome, or of that of others.
    func column(of event: String) -> Int {
        func index(_ name: String) -> Int? {
            columns.indices.first { $0 >= Measure.columns.count && Name(columns[$0].name) == Name(name) }
        }
        let name = columns.count < Self.maximumNames ? event : "other"
        if let index = index(event) ?? index(name) { return index }
        columns.append(Column(name: name, title: name, source: "app"))
        return columns.count - 1
    }

    /// The remarks, and what is seen only at the end.
    var notes: [String] {
        let missing = scope.pages.indices.filter { lines.contains { $0 > 0 } && !pages.contains($0) }
        return missing.map { "no request for \(String(decoding: scope.pages[$0], as: UTF8.self).shown)" }
            + remarks.sorted { $0.key < $1.key }.map { "\($0.rawValue.shown(upTo: 400)) (\(CountText.grouped($1)))" }
            + (visits.isFull ? ["more than \(CountText.grouped(Visits.maximumCount)) visits within half an hour"] : [])
            + (visits.isUnsorted ? ["the times go back by half an hour or more, so that a visit may count twice"] : [])
            + lookalikes.prefix(Self.maximumNames).map { "\(Lookalikes.list($0)) \(Lookalikes.difference)" }
            + surrounded.prefix(Self.maximumNames)
    }

    var lookalikes: [Lookalikes.Group] {
        Lookalikes.groups(tables.referrers.sorted.filter { $0.group == nil }.map(\.name))
    }

    /// Visits with a name of the links that has something around it, such as `anna!`, which a program has added.
    private var surrounded: some Collection<String> {
        let rows = tables.referrers.rows.filter { $0.group == nil }
        let linked = Dictionary(rows.filter(\.isLinked).map { (Lookalikes.inner($0.name)[0], $0.name) }) { $1 }
            .filter { !$0.key.isEmpty }
        return rows.lazy.filter { !$0.isLinked && !linked.isEmpty && $0.visits > 0 }.compactMap { row in
            guard let name = Lookalikes.inner(row.name).lazy.compactMap({ linked[$0] }).first,
                Lookalikes.key(name) != Lookalikes.key(row.name)
            else { return nil }
            let count = CountText.count(row.visits, "visit")
            return "\(row.name.quoted) is \(name.quoted) of the links with something around it (\(count))"
        }
    }
}

/// What is counted in a report.
struct ReportScope {
    /// The landing pages; if there are none, every path whose query has the item, and those of the table of links.
    var pages: [[UInt8]] = []
    var linkedPages: Set<[UInt8]> = []
    /// The count address.
    var countPath: [UInt8]?
    /// The query item that names the referrer.
    var item = Array("via".utf8)
    var from: Day?
    var to: Day?

    func contains(_ day: Day) -> Bool { (from?.number ?? .min) <= day.number && day.number <= (to?.number ?? .max) }
}

/// What a line of a log was counted as. Each line has exactly one. The first ones are requests.
enum LineFate: Int, CaseIterable {
    case counted, otherRequests, failed, robots, prefetches, otherDays, comments, notALine

    /// What each of them is called.
    static let titles = [
        "counted", "requests for something else", "redirects and errors", "robots and link previews", "prefetches",
        "requests on other days", "comments and empty lines", "lines that can't be read",
    ]
}

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
