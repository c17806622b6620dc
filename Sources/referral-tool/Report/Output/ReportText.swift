/// A report for the terminal.
enum ReportText {
    /// The number of rows that are printed. The other outputs have all of them.
    private static let maximumRows = 20

    static func text(_ report: Report) -> String {
        let steps = report.steps.flatMap { column, count, sentence in
            ["  \(padded(column.title, 26))\(padded(CountText.grouped(count), -12))  (\(column.source))"]
                + (sentence.map { ["      " + $0] } ?? [])
        }
        let figures = [[report.title] + steps, ["By \(report.grouping.rawValue)"] + table(report)]
        let parts =
            (report.hasNumbers ? figures : [["There is nothing to count yet."]])
            + report.lists.map { list in [list.title] + list.sentences.map { "  - \($0)" } }
        let text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return TerminalText.escaped(text, except: "\n", as: \.escape) + "\n"
    }

    private static func table(_ report: Report) -> [String] {
        let cells = report.table(rows: maximumRows).map { row in row.map { $0.shown(upTo: 40) } }
        let widths = cells[0].indices.map { column in cells.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        let lines = cells.map { line in
            "  " + line.indices.map { padded(line[$0], $0 == 0 ? widths[$0] : -widths[$0]) }.joined(separator: "  ")
        }
        let more = report.rows.count - maximumRows
        return lines + (more > 0 ? ["  and \(CountText.grouped(more)) more; --html and --csv have all"] : [])
    }

    /// Fills text up to a width; a negative one puts the text at its end.
    private static func padded(_ text: String, _ width: Int) -> String {
        let space = String(repeating: " ", count: max(0, abs(width) - text.unicodeScalars.count))
        return width < 0 ? space + text : text + space
    }
}
