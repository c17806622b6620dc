/// The table of a report as CSV. A cell that a spreadsheet would read as a formula gets an apostrophe.
enum ReportCSV {
    static func text(_ report: Report) -> String {
        let columns = report.columns
        let rows = report.rows
        let hasLabels = rows.contains { $0.label != nil }
        let periods = report.periods
        var header = [report.grouping.rawValue] + (hasLabels ? ["name"] : [])
        for period in periods {
            header += columns.map { periods.count > 1 ? "\($0.name).\(period.period.rawValue)" : $0.name }
        }
        let lines = rows.map { row in
            [row.name] + (hasLabels ? [row.label ?? ""] : [])
                + periods.flatMap { period in columns.map { String($0.count(in: row.figures[period.period])) } }
        }
        return ([header] + lines).map { cells in cells.map(cell).joined(separator: ",") + "\n" }.joined()
    }

    private static func cell(_ text: String) -> String {
        let guarded = text.withUTF8Bytes { Formulas.isFormula($0, in: .csv) } ? "'" + text : text
        return RowFormat.csv.cell(guarded) ?? ""
    }
}
