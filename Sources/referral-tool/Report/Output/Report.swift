import UnlockCatalog

/// What all outputs show of a tally: the same numbers and sentences, in the same order.
struct Report {
    /// A step of the funnel.
    struct Step {
        let column: Column
        let count: Int
        /// What is lost before the step, or how it compares.
        let sentence: String?
    }

    let tally: Tally
    let grouping: Tally.Grouping
    let totals: Figures
    /// The columns of the table, by their indices, and its rows.
    let columns: [Int]
    let rows: [NameTable.Entry]

    init(_ tally: Tally, by grouping: Tally.Grouping) {
        (self.tally, self.grouping) = (tally, grouping)
        totals = tally[.referrer].totals
        columns = Self.columns(tally, of: grouping)
        rows = Self.rows(tally, of: grouping)
    }

    /// The columns with a number: measures, and events by name.
    static func columns(_ tally: Tally, of grouping: Tally.Grouping) -> [Int] {
        let totals = tally[grouping].totals
        let used = tally.columns.indices.filter { totals[$0] != 0 }
        let events = used.filter { $0 >= Measure.columns.count }
        return used.filter { $0 < Measure.columns.count }
            + events.sorted { Name(tally.columns[$0].name) < Name(tally.columns[$1].name) }
    }

    /// The rows: days and roads in their order, others with the largest numbers at the end of the funnel first.
    private static func rows(_ tally: Tally, of grouping: Tally.Grouping) -> [NameTable.Entry] {
        let rows = tally[grouping].sorted
        guard grouping == .referrer || grouping == .campaign else { return rows }
        func rank(_ row: NameTable.Entry) -> [Int] {
            ([.arrived, .tapped, .opened, .viewed] as [Measure]).map { row.figures[$0] }
        }
        // The sort is stable, so that equal rows stay in the order of their names.
        return rows.sorted { rank($1).lexicographicallyPrecedes(rank($0)) }
    }

    /// The table for people: its head and its first rows.
    func table(rows count: Int) -> [[String]] {
        let body = rows.prefix(count).map { row in
            [title(row)] + columns.map { Progress.grouped(row.figures[$0]) }
        }
        return [[grouping.rawValue] + columns.map { tally.columns[$0].title }] + body
    }

    /// A row's name for people: a name that looks like a group is in quotation marks.
    private func title(_ row: NameTable.Entry) -> String {
        if let group = row.group { return group == .none ? "(no \(grouping.rawValue))" : "(\(group.rawValue))" }
        if let label = row.label { return "\(label) (\(row.name))" }
        return row.name.hasPrefix("(") || row.name.hasPrefix("'") ? row.name.quoted : row.name
    }

    var hasNumbers: Bool {
        !tally[.road].sorted.isEmpty || tally.columns.indices.contains { $0 > 0 && totals[$0] != 0 }
    }

    /// The days of the report.
    var title: String {
        let days = tally[.day].sorted.map(\.name)
        let (first, last) = (tally.scope.from?.text ?? days.first, tally.scope.to?.text ?? days.last)
        return first == last ? first ?? "all days" : "\(first ?? "") to \(last ?? "")"
    }

    // MARK: The funnel

    var steps: [Step] {
        Self.columns(tally, of: .referrer).map { column in
            let sentence = Measure(rawValue: column).flatMap(sentence)
            return Step(column: tally.columns[column], count: totals[column], sentence: sentence)
        }
    }

    private func sentence(_ measure: Measure) -> String? {
        // The page's own views come from the same requests as its taps.
        let opened = totals[.opened] != 0 ? totals[.opened] : totals[.viewed]
        let (tapped, copied) = (totals[.tapped], totals[.copied])
        return switch measure {
        case .tapped where opened != 0: share(of: opened, "visit", tapped, "tapped", "left without a tap")
        case .copied:
            share(of: tapped, "tap", copied, "copied the link", "copied nothing: another device, or no permission")
        case .arrived where tapped != 0: arrivals
        default: nil
        }
    }

    /// `Of 1,000 visits 100 tapped; 900 left without a tap.`
    private func share(of all: Int, _ name: String, _ count: Int, _ verb: String, _ rest: String) -> String {
        let (share, whole) = ("\(Progress.grouped(count)) \(verb)", Progress.count(all, name))
        return all >= count
            ? "Of \(whole) \(share); \(Progress.grouped(all - count)) \(rest)."
            : "\(share), more than \(whole) in the same log."
    }

    /// How checks end that did find a link, in words.
    private static let reasons: [(outcomes: [String], words: String)] = [
        (["emptyOrDenied", "accessDenied"], "declined to paste, or had nothing to paste"),
        (["expired"], "came after more than the time that a tap counts"),
        (["alreadyReported", "superseded"], "had arrived before"),
        (["fromTheFuture", "readFailed", "notCopiedByAPage"], "had a wrong clock, or another copied text"),
        (["notSigned", "wrongSignature", "campaignOver"], "had a link whose signature doesn't count"),
        (["malformedPayload", "tooLong", "wrongApp"], "had a link that can't be read, or another app's"),
    ]

    private var arrivals: String {
        let (taps, arrived, outcomes) = (totals[.tapped], totals[.arrived], tally[.road].totals)
        var rest = taps - arrived
        var lost: [String] = []
        for (names, words) in Self.reasons {
            let columns = tally.columns.indices.filter { names.contains(tally.columns[$0].name) }
            let count = columns.reduce(0) { $0 &+ outcomes[$1] }
            if count > 0 { lost.append("\(Progress.grouped(count)) \(words)") }
            rest -= count
        }
        if rest > 0 { lost.append("\(Progress.grouped(rest)) \(rest == 1 ? "is" : "are") not known") }
        let sentence = "Of \(Progress.count(taps, "tap")) \(Progress.grouped(arrived)) arrived"
        return sentence + (lost.isEmpty ? "" : "; " + lost.joined(separator: ", "))
            + (rest < 0 ? ", which is more: the app's counts are of more days or more pages than the log." : ".")
    }

    // MARK: The words

    /// The lists of sentences under the figures.
    var lists: [(title: String, sentences: [String])] {
        let lists = [("What was read", reading), ("What to know", tally.notes)]
        return (lists + (hasNumbers ? [("What these numbers can't show", Self.limits)] : [])).filter { !$0.1.isEmpty }
    }

    /// What was read of the logs.
    private var reading: [String] {
        let lines = tally.lines.reduce(0, &+)
        guard lines > 0 else { return [] }
        let others = LineFate.allCases.filter { $0 != .counted && tally.lines[$0.rawValue] > 0 }
        let counted = "\(Progress.grouped(tally.lines[0])) of \(Progress.count(lines, "line")) counted"
        let fates = others.map { "; \($0.title): \(Progress.grouped(tally.lines[$0.rawValue]))" }
        return [counted + fates.joined()] + tally.strangeLines.map { "can't be read: \($0.quoted)" }
    }

    private static let limits = [
        "Numbers of different sources stand beside each other. They are of different people, and must not be added.",
        "People who tap on one device and open the app on another, or open it after the time that a tap counts, don't arrive.",
        "A visit is a client address with its user agent: people behind one address are one visit if their devices are alike, and one person with two addresses is two. Each request follows the one before by less than 30 minutes.",
        "Robots and link previews are recognized by their user agents, so one that claims to be a browser counts as a visit.",
        "A prefetch can be told from a visit only by a header, which most logs don't have.",
        "Visitors who ask not to be tracked, block content, or whose browsers run no scripts, are in no count of the page.",
        "The app's counts are of the devices that sent theirs. Others are among those who are not known.",
        "The app counts how its checks end: a person who declines twice counts twice.",
        "An event counts for a referrer if it comes less than 30 days after the arrival.",
    ]

    /// What to do first, for a report without any number.
    var advice: [String] {
        let hasLog = tally.lines.contains { $0 > 0 }
        return [
            hasLog
                ? "Name the landing page, and let it count: --page /get, and referral-tool page --count-to /tap"
                : "Read the access log of your web server: referral-tool report access.log",
            "Make links to your landing page: referral-tool links --landing https://example.com/get",
            "Add the app's counts with --counts, and people's names with --links.",
        ]
    }
}
