/// A report as JSON.
enum ReportJSON {
    static func text(_ report: Report) -> String {
        let tally = report.tally
        let lines = LineFate.allCases.map { ($0.name, String(tally.lines[$0.rawValue])) }
        let totals = [("counts", counts(report.totals, tally.columns(of: .referrer), tally))]
        return object(
            [
                ("lines", object(lines)), ("notes", array(tally.notes)), ("notLines", array(tally.strangeLines)),
                ("totals", object(totals)),
            ] + Tally.Grouping.allCases.map { ($0.rawValue + "s", table($0, tally)) }
        ) + "\n"
    }

    private static func table(_ grouping: Tally.Grouping, _ tally: Tally) -> String {
        let columns = tally.columns(of: grouping)
        let rows = tally[grouping].sorted.map { row in
            let name = (row.group == nil ? grouping.rawValue : "group", JSONText.string(row.name))
            let label = row.label.map { [("label", JSONText.string($0))] } ?? []
            return object([name] + label + [("counts", counts(row, columns, tally))])
        }
        return "[\n" + rows.joined(separator: ",\n") + "\n]"
    }

    /// The measures that aren't zero, and the events or outcomes.
    private static func counts(_ figures: NameTable.Row, _ columns: [Int], _ tally: Tally) -> String {
        func members(_ columns: [Int]) -> [(String, String)] {
            columns.filter { figures[$0] != 0 }.map { (tally.columns[$0].name, String(figures[$0])) }
        }
        let events = members(columns.filter { $0 >= Measure.columns.count })
        let measures = members(columns.filter { $0 < Measure.columns.count })
        return object(measures + (events.isEmpty ? [] : [("events", object(events))]))
    }

    private static func array(_ texts: [String]) -> String {
        "[" + texts.map(JSONText.string).joined(separator: ",") + "]"
    }

    private static func object(_ members: [(String, String)]) -> String {
        JSONText.object(members.map { (name: $0, value: $1) })
    }
}
