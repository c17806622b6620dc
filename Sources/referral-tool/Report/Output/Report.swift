import UnlockCatalog

/// What all outputs show of a tally: the same numbers and sentences, in the same order.
struct Report {
    let tally: Tally
    let grouping: Grouping

    /// What a row of the table is about.
    enum Grouping: String, CaseIterable {
        case referrer, campaign, day, road
    }

    /// A step of the funnel.
    struct Step {
        let title: String
        let count: Int
        let source: String
        /// What is lost before the step, or how it compares.
        let sentence: String?
    }

    struct Row {
        let name: String
        /// Whether the row is for several names, or for no name.
        var group: NameTable.Group?
        /// What people call the referrer.
        var label: String?
        let figures: Figures

        /// The row's name for people: a name that looks like a group is in quotation marks.
        func title(_ grouping: Grouping) -> String {
            if let group { return group == .none ? "(no \(grouping.rawValue))" : "(\(group.rawValue))" }
            if let label { return "\(label) (\(name))" }
            return name.hasPrefix("(") || name.hasPrefix("'") ? name.quoted : name
        }
    }

    /// A column of the table: a measure, an event, or an outcome.
    typealias Column = (name: String, title: String, count: (Figures) -> Int)

    var totals: Figures { tally.counts.totals }

    func has(_ measure: Measure) -> Bool { totals[measure] != 0 }

    var hasNumbers: Bool {
        Measure.allCases.contains { $0 != .made && has($0) } || !totals.events.isEmpty || !tally.outcomes.isEmpty
    }

    /// The days of the report.
    var title: String {
        let days = tally.counts.days.keys.sorted()
        guard let first = tally.scope.from ?? days.first, let last = tally.scope.to ?? days.last else {
            return "all days"
        }
        return first == last ? first.text : "\(first.text) to \(last.text)"
    }

    var columns: [Column] {
        let events = grouping == .road ? tally.outcomes.values.flatMap(\.events.keys) : Array(totals.events.keys)
        let measures = grouping == .road ? [] : Measure.allCases.filter(has)
        return measures.map { measure in (measure.name, measure.title, { $0[measure] }) }
            + Set(events).sorted().map { event in (event.rawValue, event.rawValue, { $0.events[event] ?? 0 }) }
    }

    /// The rows, those with the largest numbers at the end of the funnel first; days and roads in their order.
    var rows: [Row] {
        switch grouping {
        case .referrer: ranked(tally.counts.referrers, tally.labels)
        case .campaign: ranked(tally.counts.campaigns, [:])
        case .day: tally.counts.days.sorted { $0.key < $1.key }.map { Row(name: $0.key.text, figures: $0.value) }
        case .road: tally.outcomes.sorted { $0.key < $1.key }.map { Row(name: $0.key.rawValue, figures: $0.value) }
        }
    }

    private func ranked(_ table: NameTable, _ labels: [Name: String]) -> [Row] {
        let rows = table.sorted.map {
            Row(name: $0.name, group: $0.group, label: $0.label(in: labels), figures: $0.figures)
        }
        func rank(_ row: Row) -> [Int] { [.arrived, .tapped, .opened, .viewed].map { row.figures[$0] } }
        // The sort is stable, so that equal rows stay in the order of their names.
        return rows.sorted { rank($1).lexicographicallyPrecedes(rank($0)) }
    }

    // MARK: The funnel

    var steps: [Step] {
        Measure.allCases.filter(has).map { measure in
            Step(title: measure.step, count: totals[measure], source: measure.source, sentence: sentence(measure))
        }
            + totals.events.sorted { $0.key < $1.key }.map {
                Step(title: $0.key.rawValue, count: $0.value, source: "app", sentence: nil)
            }
    }

    private func sentence(_ measure: Measure) -> String? {
        // The page's own views come from the same requests as its taps.
        let opened = totals[has(.opened) ? .opened : .viewed]
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
        guard all >= count, all > 0 else {
            return "\(Progress.grouped(count)) \(verb), more than \(Progress.count(all, name)) in the same log."
        }
        return
            "Of \(Progress.count(all, name)) \(Progress.grouped(count)) \(verb); \(Progress.grouped(all - count)) \(rest)."
    }

    /// How checks end that did find a link, in words.
    private static let reasons: [(outcomes: [Name], words: String)] = [
        (["emptyOrDenied"], "declined to paste, or had nothing to paste"),
        (["expired"], "came after more than the time that a tap counts"),
        (["accessDenied"], "had denied the app access to the clipboard"),
        (["notCopiedByAPage"], "had an address that no page copied"),
        (["alreadyReported", "superseded"], "had arrived before"), (["fromTheFuture"], "have a clock that is wrong"),
        (["notSigned", "wrongSignature", "campaignOver"], "had a link whose signature doesn't count"),
        (["malformedPayload", "tooLong", "wrongApp"], "had a link that can't be read, or another app's"),
        (["readFailed"], "met an error of the system"),
    ]

    private var arrivals: String {
        let (taps, arrived) = (totals[.tapped], totals[.arrived])
        var lost: [String] = []
        var rest = taps - arrived
        for (outcomes, words) in Self.reasons {
            let count = tally.outcomes.values.flatMap { road in outcomes.map { road.events[$0] ?? 0 } }.reduce(0, &+)
            if count > 0 { lost.append("\(Progress.grouped(count)) \(words)") }
            rest -= count
        }
        guard rest >= 0 else {
            return "The app counted more than \(Progress.count(taps, "tap")): \(Progress.grouped(arrived)) arrived"
                + lost.map { ", \($0)" }.joined() + ". Its counts are of more days or more pages than the log."
        }
        if rest > 0 { lost.append("\(Progress.grouped(rest)) \(rest == 1 ? "is" : "are") not known") }
        let sentence = "Of \(Progress.count(taps, "tap")) \(Progress.grouped(arrived)) arrived"
        return sentence + (lost.isEmpty ? "" : "; " + lost.joined(separator: ", ")) + "."
    }

    // MARK: The words

    /// The lists of sentences under the figures.
    var lists: [(title: String, sentences: [String])] {
        let lists = [("What was read", reading), ("What to know", tally.notes)]
        return (lists + (hasNumbers ? [("What these numbers can't show", limits)] : [])).filter { !$0.1.isEmpty }
    }

    /// What was read, and what was left out.
    private var reading: [String] {
        let names: [Tally.Source: (title: String, unit: String)] = [
            .log: ("access logs", "request"), .counts: ("the app's counts", "export"),
            .links: ("table of links", "row"),
        ]
        var lines = Tally.Source.allCases.compactMap { source in
            tally.sources[source].flatMap { count in
                names[source].map { "\($0.title): \(Progress.count(count, $0.unit))" }
            }
        }
        if tally.lineCount > 0 {
            let counted =
                "\(Progress.grouped(tally.count(.counted))) of \(Progress.count(tally.lineCount, "line")) counted"
            let others = LineFate.allCases.filter { $0 != .counted && tally.count($0) > 0 }
            lines.append(([counted] + others.map { $0.title(tally.count($0)) }).joined(separator: "; "))
        }
        lines += tally.strangeLines.map { "can't be read: \($0.quoted)" }
        return lines
            + tally.leftOut.sorted { $0.key < $1.key }.map { "left out: \(Progress.grouped($1)) \($0.rawValue.shown)" }
    }

    /// What these numbers can't show.
    private var limits: [String] {
        let all = [
            "Numbers of different sources stand beside each other. They are of different people, and must not be added.",
            "People who tap on one device and open the app on another, or open it after the time that a tap counts, don't arrive.",
        ]
        let ofLogs = [
            "A visit is a client address with its user agent: people behind one address are one visit if their devices are alike, and one person with two addresses is two. Each request follows the one before by less than 30 minutes.",
            "Robots and link previews are recognized by their user agents, so one that claims to be a browser counts as a visit.",
            "A prefetch can be told from a visit only by a header, which most logs don't have.",
            "Visitors who ask not to be tracked, block content, or whose browsers run no scripts, are in no count of the page.",
        ]
        let ofCounts = [
            "The app's counts are of the devices that sent theirs. Others are among those who are not known.",
            "The app counts how its checks end: a person who declines twice counts twice.",
            "An event counts for a referrer if it comes less than 30 days after the arrival.",
        ]
        return all + (tally.sources[.log] == nil ? [] : ofLogs) + (tally.sources[.counts] == nil ? [] : ofCounts)
    }

    /// What to do first, for a report without any number.
    var advice: [String] {
        let log = "Read the access log of your web server: referral-tool report access.log"
        let page = "Name the landing page, and let it count: --page /get, and referral-tool page --count-to /tap"
        let links = "Make links to your landing page: referral-tool links --landing https://example.com/get"
        let counts = "Add the app's counts with --counts, and people's names with --links."
        return tally.sources[.log] == nil ? [links, log, counts] : [page, links, counts]
    }
}
