import WebFiles

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

/// A report as one HTML page, which needs nothing else.
enum ReportPage {
    /// The number of rows in the page's table. CSV has all of them.
    private static let maximumRows = 5_000

    static func html(_ report: Report) -> String {
        let style = PageTemplate.content([WebFiles.pages_css, WebFiles.report_css])
        let script = PageTemplate.content([WebFiles.report_min_js])
        let table = report.table(rows: maximumRows)
        let columns = table[0].dropFirst().map { "<th scope=\"col\" class=\"number\">\(escaped($0))</th>" }
        let rows = zip(table.dropFirst(), report.rows).map { cells, row in
            let numbers = cells.dropFirst().map { "<td class=\"number\">\($0)</td>" }.joined()
            let title = "<bdi>\(escaped(cells[0]))</bdi>"
            return "<tr><td>\(row.group == nil ? title : "<i>\(title)</i>")</td>\(numbers)</tr>\n"
        }
        let more = report.rows.count - maximumRows
        let values: [String: String?] = [
            "policy": PageDocument.policy(styles: [style], scripts: [script]), "version": ReferralTool.version,
            "title": report.title, "style": style, "script": script, "grouping": report.grouping.rawValue,
            "steps": report.hasNumbers ? steps(report) : nil, "rows": report.hasNumbers ? rows.joined() : nil,
            "columns": columns.joined(), "more": more > 0 ? CountText.grouped(more) : nil,
            "lists": report.lists.map(list).joined(),
        ]
        return PageTemplate.fill(String(cString: WebFiles.report_html), values.merging(chart(report)) { $1 })
    }

    /// Text from outside: its markup and its controls are shown as text.
    private static func escaped(_ text: String) -> String { LinkElement.escaped(text.shown(upTo: 1_000)) }

    private static func list(_ title: String, _ sentences: [String]) -> String {
        let items = sentences.map { "<li>\(escaped($0))</li>\n" }.joined()
        return "<section class=\"card\">\n<h2>\(title)</h2>\n<ul class=\"notes\">\n\(items)</ul>\n</section>\n"
    }

    private static func steps(_ report: Report) -> String {
        let most = report.steps.map(\.count).max() ?? 0
        return report.steps.map { step in
            let loss = step.sentence.map { "<li class=\"loss\"><p>\(escaped($0))</p></li>\n" } ?? ""
            return loss + """
                <li class="step"><p><span>\(escaped(step.column.title))</span> <b>\(CountText.grouped(step.count))</b> \
                <span>\(step.rate)</span> <span class="quiet">\(step.column.source)</span></p><svg class="bar" viewBox="0 0 \(most) 24" \
                preserveAspectRatio="none" aria-hidden="true"><rect width="\(step.count)" height="24"/></svg></li>

                """
        }.joined()
    }

    /// A line for each measure, if there are several days.
    private static func chart(_ report: Report) -> [String: String?] {
        let measures = ([.viewed, .opened, .tapped, .arrived] as [Measure]).filter { report.totals[$0] != 0 }
        let days = report.tally.tables[.day].sorted.compactMap { row in Day(row.name).map { ($0, row) } }
        let rows = Dictionary(uniqueKeysWithValues: days.map { ($0.number, $1) })
        let most = days.flatMap { day in measures.map { day.1[$0] } }.max() ?? 0
        guard let first = days.first?.0, let last = days.last?.0, first != last, most > 0 else { return ["lines": nil] }
        let numbers = first.number...last.number
        var (lines, legend) = ("", "")
        for (index, measure) in measures.enumerated() {
            let points = numbers.map { "\($0 - first.number),\(most - (rows[$0]?[measure] ?? 0))" }
            lines += "<polyline class=\"line-\(index + 1)\" points=\"\(points.joined(separator: " "))\"/>"
            let key = "<line class=\"line-\(index + 1)\" x1=\"0\" y1=\"6\" x2=\"32\" y2=\"6\"/>"
            let svg = "<svg class=\"key\" viewBox=\"0 0 32 12\" aria-hidden=\"true\">\(key)</svg>"
            legend += "<li>\(svg) \(Measure.columns[measure.rawValue].title)</li>"
        }
        return [
            "lines": lines, "legend": legend, "most": CountText.grouped(most),
            "box": "0 0 \(numbers.count - 1) \(most)", "first": first.text, "last": last.text,
        ]
    }
}
