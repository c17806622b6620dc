/// A report for the terminal.
enum ReportText {
    /// The number of rows that are printed. The other outputs have all of them.
    private static let maximumRows = 20

    static func text(_ report: Report) -> String {
        let advice = report.advice.enumerated().map { "  \($0 + 1). \($1)" }
        let figures = [
            [report.title] + report.steps.flatMap(lines), ["By \(report.grouping.rawValue)"] + table(report),
        ]
        let parts =
            (report.hasNumbers ? figures : [["There is nothing to count yet."] + advice])
            + report.lists.map { list in [list.title] + list.sentences.map { "  - \($0)" } }
        let text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return TerminalText.escaped(text, except: "\n", as: \.escape) + "\n"
    }

    private static func lines(_ step: Report.Step) -> [String] {
        let count = padded(Progress.grouped(step.count), 12, isNumber: true)
        return ["  " + padded(step.column.title, 26) + count + "  (\(step.column.source))"]
            + (step.sentence.map { ["      " + $0] } ?? [])
    }

    private static func table(_ report: Report) -> [String] {
        let cells = report.table(rows: maximumRows).map { row in row.map { $0.shown(upTo: 40) } }
        let widths = cells[0].indices.map { column in cells.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        let lines = cells.map { line in
            "  " + line.indices.map { padded(line[$0], widths[$0], isNumber: $0 > 0) }.joined(separator: "  ")
        }
        let more = report.rows.count - maximumRows
        return lines + (more > 0 ? ["  and \(Progress.grouped(more)) more; --html and --csv have all"] : [])
    }

    private static func padded(_ text: String, _ width: Int, isNumber: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
        return isNumber ? space + text : text + space
    }
}
