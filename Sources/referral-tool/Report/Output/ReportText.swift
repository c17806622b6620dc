import UnlockCatalog

/// A report for the terminal.
enum ReportText {
    /// The number of rows that are printed. The other outputs have all of them.
    private static let maximumRows = 20

    static func text(_ report: Report) -> String {
        var parts: [String] = []
        guard report.hasNumbers else {
            let advice = Report.advice.enumerated().map { "  \($0 + 1). \($1)" }
            let reading = report.hasRead ? ["What was read"] + report.reading.map { "  " + $0 } : []
            return escaped((["There is nothing to count yet."] + advice + reading).joined(separator: "\n"))
        }
        for period in report.periods {
            parts.append(([period.title] + funnel(report, period)).joined(separator: "\n"))
        }
        let rows = report.rows
        parts += report.periods.map { table(report, rows, $0) }
        parts.append((["What was read"] + report.reading.map { "  " + $0 }).joined(separator: "\n"))
        if !report.limits.isEmpty {
            parts.append(
                (["What these numbers can't show"] + report.limits.map { "  - " + $0 }).joined(separator: "\n")
            )
        }
        return escaped(parts.joined(separator: "\n\n"))
    }

    private static func escaped(_ text: String) -> String {
        TerminalText.escaped(text, except: "\n", as: \.escape) + "\n"
    }

    private static func funnel(_ report: Report, _ period: Report.PeriodView) -> [String] {
        var lines: [String] = []
        for step in report.steps(of: period) {
            let cells = step.figures.map { [Progress.grouped($0.count), "(\($0.source))"] }
            for (index, cell) in cells.enumerated() {
                let name = index == 0 ? step.title : ""
                lines.append("  " + padded(name, 22) + leading(cell[0], 12) + "  " + cell[1])
            }
            if let sentence = step.sentence { lines.append("      " + sentence) }
        }
        return lines
    }

    private static func table(_ report: Report, _ rows: [Report.Row], _ period: Report.PeriodView) -> String {
        let columns = report.columns
        let shown = rows.filter { !$0.figures[period.period].isEmpty }
        let header = [report.grouping.rawValue] + columns.map(\.title)
        let cells = shown.prefix(maximumRows).map { row in
            [row.title.shown(upTo: 40)] + columns.map { Progress.grouped($0.count(in: row.figures[period.period])) }
        }
        let widths = header.indices.map { column in
            ([header] + cells).map { $0[column].unicodeScalars.count }.max() ?? 0
        }
        let lines = ([header] + cells).map { line in
            "  "
                + line.enumerated().map { index, cell in
                    index == 0 ? padded(cell, widths[0]) : leading(cell, widths[index])
                }.joined(separator: "  ")
        }
        let title =
            report.periods.count > 1
            ? "By \(report.grouping.rawValue), \(period.title)" : "By \(report.grouping.rawValue)"
        let more = shown.count - maximumRows
        return ([title] + lines + (more > 0 ? ["  and \(Progress.grouped(more)) more; --html and --csv have all"] : []))
            .joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    }

    private static func leading(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.unicodeScalars.count)) + text
    }
}
