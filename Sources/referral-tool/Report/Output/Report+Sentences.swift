import ReferralBridge
import UnlockCatalog

extension Report {
    // MARK: The funnel

    func steps(of period: PeriodView) -> [StepView] {
        let totals = tally.totals[period.period]
        var steps = Step.allCases.compactMap { step -> StepView? in
            let figures = step.measures.filter(tally.has).map { (count: totals[$0], source: $0.source) }
            guard !figures.isEmpty else { return nil }
            return StepView(title: step.rawValue, figures: figures, sentence: sentence(step, totals, period.period))
        }
        for event in tally.events {
            let count = totals.events[event] ?? 0
            steps.append(StepView(title: event.rawValue, figures: [(count, "app")], sentence: nil))
        }
        return steps
    }

    private func sentence(_ step: Step, _ totals: Figures, _ period: Period) -> String? {
        switch step {
        case .tapped:
            // The page's own views come from the same requests as its taps.
            let opened = tally.has(.opened) ? Measure.opened : .viewed
            guard tally.has(opened) else { return nil }
            return share(totals[opened], "visit", totals[.tapped], "tapped", "left without a tap")
        case .copied:
            return share(
                totals[.tapped],
                "tap",
                totals[.copied],
                "copied the link",
                "copied nothing: another device, or no permission"
            )
        case .arrived: return arrivals(totals, period)
        default: return nil
        }
    }

    /// `Of 1,000 visits 100 tapped; 900 left without a tap.`
    private func share(_ all: Int, _ name: String, _ count: Int, _ verb: String, _ rest: String) -> String {
        guard all >= count, all > 0 else {
            return
                "\(Progress.grouped(count)) \(verb), more than \(Progress.count(all, name)) in the same log."
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
        (["installedBeforeTap"], "had the app before"),
        (["alreadyReported", "superseded"], "had arrived before"),
        (["fromTheFuture"], "have a clock that is wrong"),
        (["notSigned", "wrongSignature", "campaignOver"], "had a link whose signature doesn't count"),
        (["malformedPayload", "tooLong", "wrongApp"], "had a link that can't be read, or another app's"),
        (["readFailed"], "met an error of the system"),
    ]

    private func arrivals(_ totals: Figures, _ period: Period) -> String? {
        guard tally.has(.tapped) else { return nil }
        let (taps, arrived) = (totals[.tapped], totals[.arrived])
        var counts: [Name: Int] = [:]
        for (_, outcomes) in tally.outcomes[period] ?? [:] { counts.merge(outcomes) { $0 &+ $1 } }
        var parts: [String] = []
        var rest = taps - arrived
        for (outcomes, words) in Self.reasons {
            let count = outcomes.reduce(0) { $0 &+ (counts[$1] ?? 0) }
            guard count > 0 else { continue }
            parts.append("\(Progress.grouped(count)) \(words)")
            rest -= count
        }
        guard rest >= 0, taps > 0 else {
            return
                "The app counted more than \(Progress.count(taps, "tap")): \(Progress.grouped(arrived)) arrived"
                + parts.map { ", \($0)" }.joined() + ". Its counts are of more days or more pages than the log."
        }
        if rest > 0 { parts.append("\(Progress.grouped(rest)) \(rest == 1 ? "is" : "are") not known") }
        let lost = parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
        return "Of \(Progress.count(taps, "tap")) \(Progress.grouped(arrived)) arrived\(lost)."
    }

    // MARK: What was read

    /// One sentence per source, and what was left out.
    var reading: [String] {
        var lines = SourceKind.allCases.compactMap { kind in
            tally.sources[kind].map { "\(kind.title): \(Self.count($0, kind))" }
        }
        let left = LineFate.allCases.filter { $0 != .counted && tally.count($0) > 0 }
        if tally.lineCount > 0 {
            let counted =
                "\(Progress.grouped(tally.count(.counted))) of \(Progress.count(tally.lineCount, "line")) counted"
            let others = left.map { "\(Progress.grouped(tally.count($0))) \($0.title)" }
            lines.append(([counted] + others).joined(separator: "; "))
        }
        lines += tally.strangeLines.map { "not a line of a log: \($0.quoted)" }
        lines += tally.leftOut.sorted { $0.key < $1.key }.map {
            "left out: \(Progress.grouped($1)) \($0.rawValue.shown)"
        }
        return lines
    }

    private static func count(_ count: Int, _ kind: SourceKind) -> String {
        switch kind {
        case .counts: Progress.count(count, "export")
        case .guestbook: Progress.count(count, "record")
        case .links: Progress.count(count, "link")
        default: Progress.count(count, kind.isLog ? "request" : "row")
        }
    }

    // MARK: What can't be known

    var limits: [String] {
        var limits = [
            "People who tap on one device and open the app on another, or open it after the time that a tap counts, don't arrive.",
            "A visit is a client address with its user agent: people behind one address are one visit if their devices are alike, and one person with two addresses is two. Each request follows the one before by less than 30 minutes.",
            "Numbers of different sources stand beside each other. They are of different people, and must not be added.",
        ]
        if tally.sources.keys.contains(where: \.isLog) {
            limits.append(
                "Robots and link previews are recognized by their user agents, so one that claims to be a browser counts as a visit."
            )
            if tally.sources[.common] != nil {
                limits.append("The Common format has no user agents: robots and link previews are among the visits.")
            }
            if tally.sources[.caddy] == nil {
                limits.append("A prefetch can be told from a visit only by a header, which most logs don't have.")
            }
        }
        if tally.has(.opened) {
            limits.append(
                "Visitors who ask not to be tracked, or whose browsers run no scripts, are in no count of the page."
            )
        }
        if tally.has(.arrived) || !tally.outcomes.isEmpty {
            limits.append(
                "The app's counts are of the devices that sent theirs. Others are among those who are not known."
            )
            limits.append("The app counts how its checks end: a person who declines twice counts twice.")
        }
        if !tally.events.isEmpty {
            limits.append("An event counts for a referrer if it comes less than 30 days after the arrival.")
        }
        if tally.has(.productPageViews) || tally.has(.downloads) {
            limits.append(
                "App Store Connect shows a campaign only after several downloads, withholds small numbers, and is days late."
            )
        }
        if tally.has(.listingVisitors) || tally.has(.acquisitions) {
            limits.append("Google Play withholds small numbers, and is days late.")
        }
        return limits
    }

    /// What to do first, for a report without any number.
    static let advice = [
        "Make links to your landing page: referral-tool links --landing https://example.com/get",
        "Let the page count, with referral-tool page --count-to /count, or name it: referral-tool report --page /get",
        "Read the access log of your web server: referral-tool report access.log",
        "Add the app's counts with --counts, the stores' tables with --store, and people's names with --links.",
    ]

    /// Whether there was anything to read.
    var hasRead: Bool { tally.lineCount > 0 || !tally.sources.isEmpty || !tally.leftOut.isEmpty }
}
