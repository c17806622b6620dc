import UnlockCatalog

/// A report as JSON.
enum ReportJSON {
    static func text(_ report: Report) -> String {
        let (tally, counts) = (report.tally, report.tally.counts)
        let sources = Tally.Source.allCases.map { ($0.rawValue, tally.sources[$0]) }.filter { $0.1 != nil }
        let days = counts.days.sorted { $0.key < $1.key }
        return object([
            ("lines", object(LineFate.allCases.map { ($0.name, String(tally.count($0))) })),
            ("sources", object(sources.map { ($0, String($1 ?? 0)) })),
            ("notes", JSONWriter.array(tally.notes.map(JSONText.string))),
            ("notLines", JSONWriter.array(tally.strangeLines.map(JSONText.string))),
            ("leftOut", numbers(tally.leftOut)), ("totals", object([("counts", object(members(counts.totals)))])),
            ("outcomes", object(tally.outcomes.sorted { $0.key < $1.key }.map { ($0.rawValue, numbers($1.events)) })),
            ("days", list(days.map { object([("day", JSONText.string($0.text))] + members($1)) })),
            ("referrers", names(counts.referrers, "referrer", tally.labels)),
            ("campaigns", names(counts.campaigns, "campaign", [:])),
        ]) + "\n"
    }

    private static func names(_ table: NameTable, _ kind: String, _ labels: [Name: String]) -> String {
        let entries = table.sorted.map { entry in
            object(
                [(entry.group == nil ? kind : "group", JSONText.string(entry.name))]
                    + (entry.label(in: labels).map { [("label", JSONText.string($0))] } ?? [])
                    + [("counts", object(members(entry.figures)))]
            )
        }
        return list(entries)
    }

    private static func members(_ figures: Figures) -> [(String, String)] {
        Measure.allCases.filter { figures[$0] != 0 }.map { ($0.name, String(figures[$0])) }
            + (figures.events.isEmpty ? [] : [("events", numbers(figures.events))])
    }

    private static func numbers(_ counts: [Name: Int]) -> String {
        object(counts.sorted { $0.key < $1.key }.map { ($0.rawValue, String($1)) })
    }

    private static func list(_ values: [String]) -> String { "[\n" + values.joined(separator: ",\n") + "\n]" }

    private static func object(_ members: [(String, String)]) -> String {
        JSONText.object(members.map { (name: $0.0, value: $0.1) })
    }
}
