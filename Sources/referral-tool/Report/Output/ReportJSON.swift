import UnlockCatalog

/// A report as JSON.
enum ReportJSON {
    static func text(_ report: Report) -> String {
        let tally = report.tally
        let lines = LineFate.allCases.map { ($0.name, String(tally.count($0))) }
        let sources = Tally.Source.allCases.compactMap { source in
            tally.sources[source].map { (source.rawValue, String($0)) }
        }
        let outcomes = tally.outcomes.sorted { $0.key < $1.key }.map { ($0.key.rawValue, object(events($0.value))) }
        let days = tally.counts.days.sorted { $0.key < $1.key }.map {
            object([("day", string($0.key.text))] + members($0.value))
        }
        return object([
            ("lines", object(lines)), ("sources", object(sources)),
            ("notes", JSONWriter.array(tally.notes.map(string))),
            ("notLines", JSONWriter.array(tally.strangeLines.map(string))),
            ("leftOut", object(tally.leftOut.sorted { $0.key < $1.key }.map { ($0.key.rawValue, String($0.value)) })),
            ("totals", object([("counts", object(members(tally.counts.totals)))])), ("outcomes", object(outcomes)),
            ("days", list(days)), ("referrers", names(tally.counts.referrers, "referrer", tally.labels)),
            ("campaigns", names(tally.counts.campaigns, "campaign", [:])),
        ]) + "\n"
    }

    private static func names(_ table: NameTable, _ name: String, _ labels: [Name: String]) -> String {
        list(
            table.sorted.map { entry in
                let label = entry.group == nil ? labels[Name(entry.name)].map { [("label", string($0))] } ?? [] : []
                return object(
                    [(entry.group == nil ? name : "group", string(entry.name))] + label
                        + [("counts", object(members(entry.figures)))]
                )
            }
        )
    }

    private static func members(_ figures: Figures) -> [(String, String)] {
        let counts = Measure.allCases.filter { figures[$0] != 0 }.map { ($0.name, String(figures[$0])) }
        return counts + (figures.events.isEmpty ? [] : [("events", object(events(figures)))])
    }

    private static func events(_ figures: Figures) -> [(String, String)] {
        figures.events.sorted { $0.key < $1.key }.map { ($0.key.rawValue, String($0.value)) }
    }

    private static func list(_ values: [String]) -> String { "[\n" + values.joined(separator: ",\n") + "\n]" }

    private static func object(_ members: [(String, String)]) -> String {
        JSONText.object(members.map { (name: $0.0, value: $0.1) })
    }

    private static func string(_ text: String) -> String { JSONText.string(text) }
}
