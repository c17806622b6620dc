import UnlockCatalog

/// The counts of a report. It contains nothing about a client but the digests of ``Visits``.
struct Tally {
    /// The number of lines that are shown because they aren't lines of a log.
    static let maximumShown = 3
    /// The number of road names, and of outcome names of each road, that are counted one by one. Others are counted as `other`.
    private static let maximumOutcomes = 64

    let scope: ReportScope

    var referrers: NameTable
    var campaigns = NameTable()
    private(set) var days: [Day: Figures] = [:]
    private(set) var totals = PeriodFigures()
    /// How the app's checks ended, by period and road.
    private(set) var outcomes: [Period: [Name: [Name: Int]]] = [:]

    var fates = [Int](repeating: 0, count: LineFate.allCases.count)
    /// The number of lines, rows or records of each kind.
    var sources: [SourceKind: Int] = [:]
    /// The first lines that aren't lines of a log, without addresses.
    var strangeLines: [String] = []
    /// Rows of tables and files that aren't counted, with the reason.
    var leftOut: [Name: Int] = [:]
    var visits = Visits()

    /// The people's names.
    var labels: [Name: String] = [:]

    init(scope: ReportScope = ReportScope(), known: Set<Name> = []) {
        self.scope = scope
        referrers = NameTable(known: known)
    }

    // MARK: Adding

    /// Adds to a measure on a day, if the report is about the day.
    mutating func add(
        _ count: Int,
        to measure: Measure,
        on day: Day?,
        _ referrer: NameTable.Place,
        campaign: NameTable.Place = NameTable.place(of: .none)
    ) {
        let period = day.map(scope.period) ?? .before
        referrers[referrer][period][measure] &+= count
        campaigns[campaign][period][measure] &+= count
        totals[period][measure] &+= count
        if let day { days[day, default: Figures()][measure] &+= count }
    }

    mutating func add(_ count: Int, toEvent event: Name, on day: Day, _ referrer: NameTable.Place) {
        let period = scope.period(of: day)
        referrers[referrer][period].add(count, toEvent: event)
        campaigns[NameTable.place(of: .none)][period].add(count, toEvent: event)
        totals[period].add(count, toEvent: event)
        days[day, default: Figures()].add(count, toEvent: event)
    }

    mutating func add(_ count: Int, road: Name, outcome: Name, in period: Period) {
        func add(_ count: Int, _ outcome: Name, to counts: inout [Name: Int]) {
            counts.add(count, to: outcome, keepingFirst: Self.maximumOutcomes, rest: "other")
        }
        add(count, outcome, to: &outcomes[period, default: [:]][road, default: [:]])
        outcomes[period]?.keepFirst(Self.maximumOutcomes, rest: "other") { other, road in
            for (outcome, count) in road { add(count, outcome, to: &other) }
        }
    }

    mutating func add(_ figures: Figures, on day: Day) { days[day, default: Figures()] += figures }

    mutating func add(_ figures: PeriodFigures) { totals += figures }

    mutating func addLine(_ fate: LineFate, _ count: Int = 1) {
        fates[LineFate.allCases.firstIndex(of: fate) ?? 0] &+= count
    }

    /// Leaves a row out.
    mutating func leaveOut(_ reason: Name, _ count: Int = 1) { leftOut[reason, default: 0] &+= count }

    // MARK: Parts

    /// A tally for the next part of the sources.
    var forNextPart: Tally {
        var tally = Tally(scope: scope)
        (tally.referrers, tally.campaigns) = (referrers.forNextPart, campaigns.forNextPart)
        return tally
    }

    /// Adds the counts of the next part.
    mutating func add(_ next: Tally) {
        for (fate, count) in zip(LineFate.allCases, next.fates) { addLine(fate, count) }
        sources.merge(next.sources) { $0 &+ $1 }
        strangeLines += next.strangeLines.prefix(Self.maximumShown - min(strangeLines.count, Self.maximumShown))
        leftOut.merge(next.leftOut) { $0 &+ $1 }
        totals += next.totals
        for (day, figures) in next.days { days[day, default: Figures()] += figures }
        referrers.add(next.referrers)
        campaigns.add(next.campaigns)
        for (period, roads) in next.outcomes {
            for (road, counts) in roads {
                for (outcome, count) in counts { add(count, road: road, outcome: outcome, in: period) }
            }
        }
        labels.merge(next.labels) { _, new in new }
        for first in visits.join(next.visits) {
            let (subject, day) = (first.subject, Day(ofSecond: first.time))
            let referrer = referrers.place(of: subject.referrer)
            add(-1, to: subject.measure, on: day, referrer, campaign: campaigns.place(of: subject.campaign))
        }
    }

    // MARK: Results

    func count(_ fate: LineFate) -> Int { fates[LineFate.allCases.firstIndex(of: fate) ?? 0] }

    var lineCount: Int { fates.reduce(0, &+) }

    /// Ends the counting.
    mutating func finish() {
        referrers.keepLowest()
        campaigns.keepLowest()
        days = days.filter { !$0.value.isEmpty }
    }

    /// Whether there is a number for a measure.
    func has(_ measure: Measure) -> Bool { totals.before[measure] != 0 || totals.after[measure] != 0 }

    /// The names of the app's events, in the order of their bytes.
    var events: [Name] {
        Set(totals.before.events.keys).union(totals.after.events.keys).sorted()
    }

    var periods: [Period] { scope.comparison == nil ? [.before] : Period.allCases }
}
