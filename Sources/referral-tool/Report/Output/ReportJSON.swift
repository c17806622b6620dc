/// A report as JSON.
enum ReportJSON {
    private typealias Members = [(name: String, value: String)]

    static func text(_ report: Report) -> String {
        let tally = report.tally
        let lines: Members = LineFate.allCases.map { (String(describing: $0), String(tally.lines[$0.rawValue])) }
        let texts: Members = [("notes", tally.notes), ("notLines", tally.strangeLines)].map { name, texts in
            (name, "[" + texts.map(JSONText.string).joined(separator: ",") + "]")
        }
        let tables: Members = Tally.Grouping.allCases.map { grouping in
            let rows = tally.tables[grouping].sorted.map { row in
                let name = row.group == nil ? grouping.rawValue : "group"
                let label: Members = row.label.map { [("label", JSONText.string($0))] } ?? []
                let counts: Members = [("counts", counts(row, tally))]
                return JSONText.object([(name, JSONText.string(row.name))] + label + counts)
            }
            return (grouping.rawValue + "s", "[\n" + rows.joined(separator: ",\n") + "\n]")
        }
        return JSONText.object([("lines", JSONText.object(lines))] + texts + tables) + "\n"
    }

    /// The measures that aren't zero, and the events or outcomes.
    private static func counts(_ row: NameTable.Row, _ tally: Tally) -> String {
        let used = tally.columns.indices.filter { row[$0] != 0 }
        let members: Members = used.map { (tally.columns[$0].name, String(row[$0])) }
        let measures = used.prefix { $0 < Measure.columns.count }.count
        let events: Members = [("events", JSONText.object(Array(members[measures...])))]
        return JSONText.object(members[..<measures] + (members.count > measures ? events : []))
    }
}

/// The table of a report as CSV. A cell that a spreadsheet would read as a formula gets an apostrophe, with which it shows the text.
enum ReportCSV {
    /// The signs with which a formula begins ([OWASP](https://owasp.org/www-community/attacks/CSV_Injection)).
    private static let signs = "=+-@\t\r\n\0\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars

    /// A group's name isn't in the first column, so that it isn't taken for a referrer.
    static func text(_ report: Report) -> String {
        let header = [report.grouping.rawValue, "group", "name"] + report.columns.map { report.tally.columns[$0].name }
        let lines = report.rows.map { row in
            [row.group == nil ? row.name : "", row.group?.rawValue ?? "", row.label ?? ""]
                + report.columns.map { String(row[$0]) }
        }
        return ([header] + lines).map { cells in
            let texts = cells.map { cell in
                RowFormat.csv.cell((cell.unicodeScalars.first.map(signs.contains) == true ? "'" : "") + cell)
            }
            return texts.joined(separator: ",") + "\n"
        }.joined()
    }
}
