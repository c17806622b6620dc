/// What all outputs show of a tally: the same numbers and sentences, in the same order.
final class Report {
    let tally: Tally
    let grouping: Tally.Grouping
    let totals: NameTable.Row
    /// The columns of the table, by their indices, and its rows.
    let columns: [Int]
    let rows: [NameTable.Row]
    /// How the names that look alike are shown.
    private let apart: [Name: String]

    init(_ tally: Tally, by grouping: Tally.Grouping) {
        (self.tally, self.grouping) = (tally, grouping)
        totals = tally.tables.referrers.totals
        let names = grouping == .referrer ? tally.lookalikes.joined().map { ($0.name, $0.text) } : []
        apart = Dictionary(uniqueKeysWithValues: names)
        columns = tally.columns(of: grouping)
        let rows = tally.tables[grouping].sorted
        let rank = { (row: NameTable.Row) in [row[.arrived], row[.tapped], row[.opened], row[.viewed]] }
        // Days and roads have their order. In others, the largest numbers at the end of the funnel are first, and equal ones by name.
        let isRanked = grouping == .referrer || grouping == .campaign
        self.rows = isRanked ? rows.sorted { rank($1).lexicographicallyPrecedes(rank($0)) } : rows
    }

    /// The table for people: its head and its first rows.
    func table(rows count: Int) -> [[String]] {
        let body = rows.prefix(count).map { row in [title(row)] + columns.map { CountText.grouped(row[$0]) } }
        return [[grouping.rawValue] + columns.map { tally.columns[$0].title }] + body
    }

    /// A row's name for people: a name that looks like a group is in quotation marks.
    private func title(_ row: NameTable.Row) -> String {
        if let group = row.group { return group == .none ? "(no \(grouping.rawValue))" : "(\(group.rawValue))" }
        let name = apart[Name(row.name)] ?? row.name
        if let label = row.label { return "\(label) (\(name))" }
        return name.hasPrefix("(") || name.hasPrefix("'") ? name.quoted : name
    }

    var hasNumbers: Bool { !tally.tables.roads.sorted.isEmpty || !steps.isEmpty }

    /// The days of the report.
    var title: String {
        let days = tally.tables[.day].sorted.map(\.name)
        return days.count > 1 ? "\(days[0]) to \(days[days.count - 1])" : days.first ?? "A report on links"
    }

    /// The steps, each with its rate and with what is lost before it in words.
    var steps: [(column: Column, count: Int, rate: String, sentence: String?)] {
        tally.columns(of: .referrer).map { index in
            let (all, name) = base(of: index)
            let percent = all > 0 ? (1_000 * Double(totals[index]) / Double(all)).rounded() / 10 : 0
            let rate = all > 0 ? "\(JSONWriter.number(percent))% of \(name)s" : ""
            return (tally.columns[index], totals[index], rate, Measure(rawValue: index).flatMap(sentence))
        }
    }

    /// The number of which a step has a part, and what it counts; zero for the first step.
    private func base(of column: Int) -> (count: Int, name: String) {
        switch Measure(rawValue: column) {
        case .viewed, .opened: (0, "")
        // The page's own views come from the same requests as its taps.
        case .tapped: (totals[.opened] != 0 ? totals[.opened] : totals[.viewed], "visit")
        case .copied, .arrived: (totals[.tapped], "tap")
        case nil: (totals[.arrived], "arrival")
        }
    }

    private func sentence(_ measure: Measure) -> String? {
        let (all, name) = base(of: measure.rawValue)
        guard let words = Self.words[measure], all != 0 else { return nil }
        let outcomes = measure == .arrived ? tally.tables.roads.totals : nil
        let lost = Self.reasons.map { outcome, words in
            (tally.columns.indices.first { tally.columns[$0].name == outcome }.flatMap { outcomes?[$0] } ?? 0, words)
        }
        let rest = all - totals[measure] - lost.reduce(0) { $0 &+ $1.0 }
        let others = (lost + [(rest, words.rest)]).filter { $0.0 > 0 }.map { "\(CountText.grouped($0)) \($1)" }
        return "Of \(CountText.count(all, name)) \(CountText.grouped(totals[measure])) \(words.verb)"
            + (others.isEmpty ? "" : "; ") + others.joined(separator: ", ")
            + (rest < 0 ? ", more than the \(name)s that were counted." : ".")
    }

    /// `Of 1,000 visits 100 tapped; 900 left without a tap.`
    private static let words: [Measure: (verb: String, rest: String)] = [
        .tapped: ("tapped", "left without a tap"), .arrived: ("arrived", "not known"),
        .copied: ("copied the link", "copied nothing: another device, or no permission"),
    ]

    /// How checks end that did find a link, in words.
    private static let reasons = [
        ("emptyOrDenied", "declined to paste, or had nothing to paste"),
        ("expired", "came after more than the time that a tap counts"),
    ]

    /// The lists of sentences under the figures.
    var lists: [(title: String, sentences: [String])] {
        let last = hasNumbers ? ("What these numbers can't show", Self.limits) : ("What to do first", advice)
        return [("What was read", reading), ("What to know", tally.notes), last].filter { !$0.1.isEmpty }
    }

    /// What was read of the logs.
    private var reading: [String] {
        let lines = tally.lines.reduce(0, &+)
        guard lines > 0 else { return [] }
        let others = tally.lines.indices.dropFirst().filter { tally.lines[$0] > 0 }
        let fates = others.map { "; \(LineFate.titles[$0]): \(CountText.grouped(tally.lines[$0]))" }
        return ["\(CountText.grouped(tally.lines[0])) of \(CountText.count(lines, "line")) counted" + fates.joined()]
            + tally.strangeLines.map { "can't be read: \($0.quoted)" }
    }

    private static let limits = [
        "Numbers of different sources stand beside each other. They are of different people, and must not be added.",
        "People who tap on one device and open the app on another, or open it after the time that a tap counts, don't arrive.",
        "A visit is a client address with its user agent: people behind one address are one visit if their devices are alike, and one person with two addresses is two. Each request follows the one before by less than 30 minutes.",
        "Robots and link previews are recognized by their user agents, so one that claims to be a browser counts as a visit. A prefetch can be told from a visit only by a header, which most logs don't have.",
        "Visitors who ask not to be tracked, block content, or whose browsers run no scripts, are in no count of the page.",
        "The app's counts are of the devices that sent theirs. Others are among those who are not known. A person who declines twice counts twice, and an event counts for a referrer if it comes less than 30 days after the arrival.",
    ]

    /// What to do first, for a report without any number.
    private var advice: [String] {
        let log = "Read the access log of your web server: referral-tool report access.log"
        let page = "Name the landing page, and let it count: --page /get, and referral-tool page --count-to /tap"
        return [
            reading.isEmpty ? log : page,
            "Make links to your landing page: referral-tool links --landing https://example.com/get",
            "Add the app's counts with --counts, and people's names with --links.",
        ]
    }
}
