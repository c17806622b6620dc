/// A report for the terminal.
enum ReportText {
    /// The number of rows that are printed. The other outputs have all of them.
    private static let maximumRows = 20

    static func text(_ report: Report) -> String {
        var parts: [[String]] = []
        if report.hasNumbers {
            parts.append([report.title] + report.steps.flatMap(lines))
            parts.append(["By \(report.grouping.rawValue)"] + table(report))
        } else {
            parts.append(["There is nothing to count yet."] + report.advice.enumerated().map { "  \($0 + 1). \($1)" })
        }
        parts.append(list("What was read", report.reading))
        parts.append(list("What to know", report.tally.notes))
        if report.hasNumbers { parts.append(list("What these numbers can't show", report.limits)) }
        let text = parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return TerminalText.escaped(text, except: "\n", as: \.escape) + "\n"
    }

    private static func list(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title] + lines.map { "  - \($0)" }
    }

    private static func lines(_ step: Report.Step) -> [String] {
        ["  " + padded(step.title, 26) + leading(Progress.grouped(step.count), 12) + "  (\(step.source))"]
            + (step.sentence.map { ["      " + $0] } ?? [])
    }

    private static func table(_ report: Report) -> [String] {
        let columns = report.columns
        let rows = report.rows
        let cells =
            [[report.grouping.rawValue] + columns.map(\.title)]
            + rows.prefix(maximumRows).map { row in
                [row.title(report.grouping).shown(upTo: 40)] + columns.map { Progress.grouped($0.count(row.figures)) }
            }
        let widths = cells[0].indices.map { column in cells.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        let lines = cells.map { line in
            let parts = line.enumerated().map { $0 == 0 ? padded($1, widths[0]) : leading($1, widths[$0]) }
            return "  " + parts.joined(separator: "  ")
        }
        let more = rows.count - maximumRows
        return lines + (more > 0 ? ["  and \(Progress.grouped(more)) more; --html and --csv have all"] : [])
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    }

    private static func leading(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.unicodeScalars.count)) + text
    }
}
