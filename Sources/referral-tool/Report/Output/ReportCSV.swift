/// The table of a report as CSV. A cell that a spreadsheet would read as a formula gets an apostrophe.
enum ReportCSV {
    /// A group's name isn't in the first column, so that it isn't taken for a referrer.
    static func text(_ report: Report) -> String {
        let header = [report.grouping.rawValue, "group", "name"] + report.columns.map { report.tally.columns[$0].name }
        let lines = report.rows.map { row in
            [row.group == nil ? row.name : "", row.group?.rawValue ?? "", row.label ?? ""]
                + report.columns.map { String(row[$0]) }
        }
        return ([header] + lines).map { cells in
            let texts = cells.map { RowFormat.csv.cell(($0.withUTF8Bytes(Formulas.isFormula) ? "'" : "") + $0) }
            return texts.joined(separator: ",") + "\n"
        }.joined()
    }
}
