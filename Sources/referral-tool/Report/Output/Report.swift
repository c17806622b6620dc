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
            switch group {
            case .some(.none): "(no \(grouping.rawValue))"
            case .some(let group): "(\(group.rawValue))"
            case nil:
                label.map { "\($0) (\(name))" } ?? (name.hasPrefix("(") || name.hasPrefix("'") ? name.quoted : name)
            }
        }
    }

    /// A column of the table: a measure, an event, or an outcome.
    struct Column {
        let name: String
        let title: String
        let count: (Figures) -> Int

        init(_ measure: Measure) { (name, title, count) = (measure.name, measure.title, { $0[measure] }) }

        init(_ event: Name) { (name, title, count) = (event.rawValue, event.rawValue, { $0.events[event] ?? 0 }) }
    }

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
        let names = Set(events).sorted().map { Column($0) }
        return grouping == .road ? names : Measure.allCases.filter(has).map { Column($0) } + names
    }

    /// The rows, those with the largest numbers at the end of the funnel first; days in their order.
    var rows: [Row] {
        switch grouping {
        case .referrer: ranked(tally.counts.referrers)
        case .campaign: ranked(tally.counts.campaigns)
        case .day: tally.counts.days.sorted { $0.key < $1.key }.map { Row(name: $0.key.text, figures: $0.value) }
        case .road: tally.outcomes.sorted { $0.key < $1.key }.map { Row(name: $0.key.rawValue, figures: $0.value) }
        }
    }

    /// The measures that decide which row is better, the most important one first.
    static let ranks: [Measure] = [.arrived, .tapped, .opened, .viewed]

    private func ranked(_ table: NameTable) -> [Row] {
        let rows = table.sorted.map { entry in
            let label = entry.group == nil && grouping == .referrer ? tally.labels[Name(entry.name)] : nil
            return Row(name: entry.name, group: entry.group, label: label, figures: entry.figures)
        }
        func key(_ row: Row) -> [Int] { Self.ranks.map { row.figures[$0] } }
        // The sort is stable, so that equal rows stay in the order of their names.
        return rows.map { (key($0), $0) }.sorted { right, left in left.0.lexicographicallyPrecedes(right.0) }.map(\.1)
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
        switch measure {
        case .tapped:
            // The page's own views come from the same requests as its taps.
            let opened = has(.opened) ? Measure.opened : .viewed
            return has(opened)
                ? share(of: totals[opened], "visit", totals[.tapped], "tapped", "left without a tap") : nil
        case .copied:
            let rest = "copied nothing: another device, or no permission"
            return share(of: totals[.tapped], "tap", totals[.copied], "copied the link", rest)
        case .arrived: return has(.tapped) ? arrivals : nil
        default: return nil
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
        var counts = Figures()
        for outcomes in tally.outcomes.values { counts += outcomes }
        var parts: [String] = []
        var rest = taps - arrived
        for (outcomes, words) in Self.reasons {
            let count = outcomes.reduce(0) { $0 &+ (counts.events[$1] ?? 0) }
            guard count > 0 else { continue }
            parts.append("\(Progress.grouped(count)) \(words)")
            rest -= count
        }
        guard rest >= 0, taps > 0 else {
            return "The app counted more than \(Progress.count(taps, "tap")): \(Progress.grouped(arrived)) arrived"
                + parts.map { ", \($0)" }.joined() + ". Its counts are of more days or more pages than the log."
        }
        if rest > 0 { parts.append("\(Progress.grouped(rest)) \(rest == 1 ? "is" : "are") not known") }
        let lost = parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
        return "Of \(Progress.count(taps, "tap")) \(Progress.grouped(arrived)) arrived\(lost)."
    }

    // MARK: The words

    /// What was read, and what was left out.
    var reading: [String] {
        var lines = Tally.Source.allCases.compactMap { source in
            tally.sources[source].map { count in
                switch source {
                case .log: "access logs: \(Progress.count(count, "request"))"
                case .counts: "the app's counts: \(Progress.count(count, "export"))"
                case .links: "table of links: \(Progress.count(count, "row"))"
                }
            }
        }
        if tally.lineCount > 0 {
            let counted =
                "\(Progress.grouped(tally.count(.counted))) of \(Progress.count(tally.lineCount, "line")) counted"
            let others = LineFate.allCases.filter { $0 != .counted && tally.count($0) > 0 }.map {
                $0.title(tally.count($0))
            }
            lines.append(([counted] + others).joined(separator: "; "))
        }
        lines += tally.strangeLines.map { "can't be read: \($0.quoted)" }
        return lines
            + tally.leftOut.sorted { $0.key < $1.key }.map { "left out: \(Progress.grouped($1)) \($0.rawValue.shown)" }
    }

    /// What these numbers can't show.
    var limits: [String] {
        var limits = [
            "People who tap on one device and open the app on another, or open it after the time that a tap counts, don't arrive.",
            "A visit is a client address with its user agent: people behind one address are one visit if their devices are alike, and one person with two addresses is two. Each request follows the one before by less than 30 minutes.",
            "Numbers of different sources stand beside each other. They are of different people, and must not be added.",
        ]
        if tally.sources[.log] != nil {
            limits += [
                "Robots and link previews are recognized by their user agents, so one that claims to be a browser counts as a visit.",
                "A prefetch can be told from a visit only by a header, which most logs don't have.",
            ]
        }
        if has(.opened) || has(.tapped) {
            limits.append(
                "Visitors who ask not to be tracked, block content, or whose browsers run no scripts, are in no count of the page."
            )
        }
        if tally.sources[.counts] != nil {
            limits.append(
                "The app's counts are of the devices that sent theirs. Others are among those who are not known."
            )
            limits.append("The app counts how its checks end: a person who declines twice counts twice.")
        }
        if !totals.events.isEmpty {
            limits.append("An event counts for a referrer if it comes less than 30 days after the arrival.")
        }
        return limits
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
