/// A report as JSON.
enum ReportJSON {
    static func text(_ report: Report) -> String {
        let tally = report.tally
        let lines = LineFate.allCases.map { (String(describing: $0), String(tally.lines[$0.rawValue])) }
        let texts = [("notes", tally.notes), ("notLines", tally.strangeLines)].map { name, texts in
            (name, "[" + texts.map(JSONText.string).joined(separator: ",") + "]")
        }
        let tables = Tally.Grouping.allCases.map { grouping in
            let rows = tally.tables[grouping].sorted.map { object(of: $0, grouping.rawValue, tally) }
            return (grouping.rawValue + "s", "[\n" + rows.joined(separator: ",\n") + "\n]")
        }
        let totals = ("totals", object([("counts", counts(report.totals, tally))]))
        return object([("lines", object(lines))] + texts + [totals] + tables) + "\n"
    }

    private static func object(of row: NameTable.Row, _ grouping: String, _ tally: Tally) -> String {
        let name = (row.group == nil ? grouping : "group", JSONText.string(row.name))
        let label = row.label.map { [("label", JSONText.string($0))] } ?? []
        return object([name] + label + [("counts", counts(row, tally))])
    }

    /// The measures that aren't zero, and the events or outcomes.
    private static func counts(_ row: NameTable.Row, _ tally: Tally) -> String {
        let used = tally.columns.indices.filter { row[$0] != 0 }
        let members = used.map { (tally.columns[$0].name, String(row[$0])) }
        let measures = used.prefix { $0 < Measure.columns.count }.count
        let events = members.count > measures ? [("events", object(Array(members.dropFirst(measures))))] : []
        return object(members.prefix(measures) + events)
    }

    private static func object(_ members: [(String, String)]) -> String {
        JSONText.object(members.map { (name: $0, value: $1) })
    }
}
