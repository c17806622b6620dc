/// The table of a report as CSV. A cell that a spreadsheet would read as a formula gets an apostrophe.
enum ReportCSV {
    /// A row of several names, or of none, has its name in a column `group`, so that it isn't taken for a referrer.
    static func text(_ report: Report) -> String {
        let (columns, rows) = (report.columns, report.rows)
        let hasGroups = rows.contains { $0.group != nil }
        let hasLabels = rows.contains { $0.label != nil }
        let header =
            [report.grouping.rawValue] + (hasGroups ? ["group"] : []) + (hasLabels ? ["name"] : [])
            + columns.map { report.tally.columns[$0].name }
        let lines = rows.map { row in
            [row.group == nil ? row.name : ""] + (hasGroups ? [row.group?.rawValue ?? ""] : [])
                + (hasLabels ? [row.label ?? ""] : []) + columns.map { String(row[$0]) }
        }
        return ([header] + lines).map { cells in cells.map(cell).joined(separator: ",") + "\n" }.joined()
    }

    private static func cell(_ text: String) -> String {
        let guarded = text.withUTF8Bytes { Formulas.isFormula($0) } ? "'" + text : text
        return RowFormat.csv.cell(guarded)
    }
}
