import ReferralBridge
import UnlockCatalog

/// What all outputs show of a tally: the same numbers and sentences, in the same order.
struct Report {
    let tally: Tally
    let grouping: Grouping

    /// What a row of the table is about.
    enum Grouping: String, CaseIterable {
        case referrer, campaign, day, road
    }

    struct PeriodView {
        let period: Period
        let title: String
    }

    /// A step of the funnel.
    struct StepView {
        let title: String
        let figures: [(count: Int, source: String)]
        /// What is lost before the step, or how it compares.
        let sentence: String?
    }

    struct Row {
        let name: String
        /// What people call the referrer.
        let label: String?
        let figures: PeriodFigures
        /// Whether the row is for several names, or for no name.
        var isGroup = false

        var title: String { label.map { "\($0) (\(name))" } ?? name }
    }

    /// A column of the table.
    enum Column {
        case measure(Measure)
        case event(Name)
        case outcome(Name)

        var name: String {
            switch self {
            case .measure(let measure): measure.name
            case .event(let name), .outcome(let name): name.rawValue
            }
        }

        var title: String {
            switch self {
            case .measure(let measure): measure.title
            case .event(let name), .outcome(let name): name.rawValue
            }
        }

        func count(in figures: Figures) -> Int {
            switch self {
            case .measure(let measure): figures[measure]
            // The outcomes of a road are in its figures as events.
            case .event(let name), .outcome(let name): figures.events[name] ?? 0
            }
        }
    }

    var hasNumbers: Bool {
        Measure.allCases.contains { $0 != .made && tally.has($0) } || !tally.events.isEmpty || !tally.outcomes.isEmpty
    }

    // MARK: The periods

    var periods: [PeriodView] {
        let days = tally.days.keys.sorted()
        let first = tally.scope.from ?? days.first
        let last = tally.scope.to ?? days.last
        func title(_ first: Day?, _ last: Day?) -> String {
            guard let first, let last else { return "All days" }
            return first == last ? first.text : "\(first.text) to \(last.text)"
        }
        guard let comparison = tally.scope.comparison else {
            return [PeriodView(period: .before, title: title(first, last))]
        }
        let end = Day(number: comparison.number - 1)
        return [
            PeriodView(period: .before, title: "Before: " + title(first.map { min($0, end) }, end)),
            PeriodView(period: .after, title: "After: " + title(comparison, last.map { max($0, comparison) })),
        ]
    }

    // MARK: The table

    var columns: [Column] {
        if grouping == .road {
            let names = Set(tally.outcomes.values.flatMap { $0.values.flatMap(\.keys) })
            return names.sorted().map(Column.outcome)
        }
        return Measure.allCases.filter(tally.has).map(Column.measure) + tally.events.map(Column.event)
    }

    /// The rows, those with the largest numbers at the end of the funnel first; days in their order.
    var rows: [Row] {
        switch grouping {
        case .referrer: ranked(rows(of: tally.referrers, none: "(no referrer)"))
        case .campaign: ranked(rows(of: tally.campaigns, none: "(no campaign)"))
        case .day:
            tally.days.sorted { $0.key < $1.key }.map { day, figures in
                var both = PeriodFigures()
                both[tally.scope.period(of: day)] = figures
                return Row(name: day.text, label: nil, figures: both)
            }
        case .road:
            Set(tally.outcomes.values.flatMap(\.keys)).sorted().map { road in
                var both = PeriodFigures()
                for period in Period.allCases {
                    for (outcome, count) in tally.outcomes[period]?[road] ?? [:] {
                        both[period].add(count, toEvent: outcome)
                    }
                }
                return Row(name: road.rawValue, label: nil, figures: both)
            }
        }
    }

    private func rows(of table: NameTable, none: String) -> [Row] {
        let names = [none, "(other)", "(invitations)"]
        let groups = zip(NameTable.Group.allCases, names).compactMap { group, name in
            table[group].isEmpty ? nil : Row(name: name, label: nil, figures: table[group], isGroup: true)
        }
        return table.sorted.map { Row(name: $0.name.rawValue, label: tally.labels[$0.name], figures: $0.figures) }
            + groups
    }

    /// The measures that decide which row is better, the most important one first.
    static let ranks: [Measure] = [
        .arrived, .genuineEntries, .downloads, .acquisitions, .tapped, .opened, .viewed,
    ]

    private func ranked(_ rows: [Row]) -> [Row] {
        func key(_ row: Row) -> [Int] { Self.ranks.map { row.figures.before[$0] &+ row.figures.after[$0] } }
        // The sort is stable, so that equal rows stay in the order of their names.
        return rows.map { (key($0), $0) }.sorted { right, left in left.0.lexicographicallyPrecedes(right.0) }.map(\.1)
    }
}
