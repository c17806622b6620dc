/// A report for the terminal.
enum ReportText {
    /// The number of rows that are printed. The other outputs have all of them.
    private static let maximumRows = 20

    static func text(_ report: Report) -> String {
        let steps = report.steps.map { step in
            [step.column.title, CountText.grouped(step.count), step.rate, "(\(step.column.source))"]
        }
        let more = report.rows.count - maximumRows
        let figures = [
            [report.title] + aligned(steps) + report.steps.compactMap(\.sentence).map { "  " + $0 },
            ["By \(report.grouping.rawValue)"] + aligned(report.table(rows: maximumRows))
                + (more > 0 ? ["  and \(CountText.grouped(more)) more; --html and --csv have all"] : []),
        ]
        let parts =
            (report.hasNumbers ? figures : [["There is nothing to count yet."]])
            + report.lists.map { list in [list.title] + list.sentences.map { "  - \($0)" } }
        let text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return text.shown(upTo: .max) { $0.isDisplayControl && $0 != "\n" } + "\n"
    }

    /// Lines of cells that stand below each other, those after the first one at the right.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let cells = rows.map { row in row.map { $0.shown(upTo: 40) } }
        return cells.map { line in
            let texts = line.enumerated().map { column, text in
                let width = cells.map { $0[column].unicodeScalars.count }.max() ?? 0
                let space = String(repeating: " ", count: width - text.unicodeScalars.count)
                return column == 0 ? text + space : space + text
            }
            return "  " + texts.joined(separator: "  ")
        }
    }
}
