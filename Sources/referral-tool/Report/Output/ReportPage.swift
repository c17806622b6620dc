import WebFiles

/// A report as one HTML page, which needs nothing else.
enum ReportPage {
    /// The number of rows in the page's table. CSV has all of them.
    private static let maximumRows = 5_000

    static func html(_ report: Report) -> String {
        let style = PageTemplate.content([WebFiles.pages_css, WebFiles.report_css])
        let script = PageTemplate.content([WebFiles.report_min_js])
        let figures = report.hasNumbers ? funnel(report) + chart(report) + table(report) : ""
        let values: [String: String?] = [
            "policy": PageDocument.policy(styles: [style], scripts: [script]), "version": ReferralTool.version,
            "title": report.title, "style": style, "script": script, "main": figures + report.lists.map(list).joined(),
        ]
        return PageTemplate.fill(String(cString: WebFiles.report_html), values)
    }

    /// Text from outside: its markup and its controls are shown as text.
    private static func escaped(_ text: String) -> String { LinkElement.escaped(text.shown(upTo: 1_000)) }

    private static func section(_ title: String, _ content: String) -> String {
        "<section class=\"card\">\n<h2>\(title)</h2>\n\(content)\n</section>\n"
    }

    private static func list(_ title: String, _ sentences: [String]) -> String {
        let items = sentences.map { "<li>\(escaped($0))</li>\n" }.joined()
        return section(title, "<ul class=\"notes\">\n\(items)</ul>")
    }

    private static func funnel(_ report: Report) -> String {
        let most = report.steps.map(\.count).max() ?? 0
        let items = report.steps.map { step in
            let loss = step.sentence.map { "<li class=\"loss\"><p>\(escaped($0))</p></li>\n" } ?? ""
            return loss + """
                <li class="step"><p><span>\(escaped(step.column.title))</span> <b>\(CountText.grouped(step.count))</b> \
                <span class="quiet">\(step.column.source)</span></p><svg class="bar" viewBox="0 0 \(most) 24" \
                preserveAspectRatio="none" aria-hidden="true"><rect width="\(step.count)" height="24"/></svg></li>

                """
        }
        return section("From the link to the app", "<ol class=\"funnel\">\n\(items.joined())</ol>")
    }

    private static func chart(_ report: Report) -> String {
        let measures = ([.viewed, .opened, .tapped, .arrived] as [Measure]).filter { report.totals[$0] != 0 }
        let days = report.tally[.day].sorted.compactMap { day in Day(day.name).map { ($0.number, day) } }
        let figures = Dictionary(uniqueKeysWithValues: days)
        let most = days.flatMap { day in measures.map { day.1[$0] } }.max() ?? 0
        guard let first = days.first?.0, let last = days.last?.0, first < last, most > 0 else { return "" }
        var (lines, legend) = ("", "")
        for (index, measure) in measures.enumerated() {
            let points = (first...last).map { "\($0 - first),\(most - (figures[$0]?[measure] ?? 0))" }
            lines += "<polyline class=\"line-\(index + 1)\" points=\"\(points.joined(separator: " "))\"/>"
            legend += """
                <li><svg class="key" viewBox="0 0 32 12" aria-hidden="true"><line class="line-\(index + 1)" x1="0" y1="6" \
                x2="32" y2="6"/></svg> \(Measure.columns[measure.rawValue].title)</li>
                """
        }
        return section(
            "Day by day",
            """
            <figure class="chart"><p class="ends quiet"><span>\(CountText.grouped(most)) a day</span></p>
            <svg class="plot" viewBox="0 0 \(last - first) \(most)" preserveAspectRatio="none" role="img" \
            aria-label="The numbers of each day">\(lines)</svg>
            <p class="ends quiet"><span>\(Day(number: first).text)</span><span>\(Day(number: last).text)</span></p>
            <ul class="legend">\(legend)</ul></figure>
            """
        )
    }

    private static func table(_ report: Report) -> String {
        let table = report.table(rows: maximumRows)
        let header = table[0].dropFirst().map { "<th scope=\"col\" class=\"number\">\(escaped($0))</th>" }.joined()
        let body = zip(table.dropFirst(), report.rows).map { cells, row in
            let numbers = cells.dropFirst().map { "<td class=\"number\">\($0)</td>" }.joined()
            let title = "<bdi>\(escaped(cells[0]))</bdi>"
            return "<tr><td>\(row.group == nil ? title : "<i>\(title)</i>")</td>\(numbers)</tr>\n"
        }
        let more = report.rows.count - maximumRows
        return section(
            "By \(report.grouping.rawValue)",
            """
            <p class="search" hidden><label>Search <input type="search" autocomplete="off" spellcheck="false"></label> \
            <span class="quiet" role="status"></span></p>
            <div class="scroll" tabindex="0" role="region" aria-label="The table"><table>
            <thead><tr><th scope="col">\(report.grouping.rawValue)</th>\(header)</tr></thead>
            <tbody>
            \(body.joined())</tbody>
            </table></div>
            \(more > 0 ? "<p class=\"quiet\">And \(CountText.grouped(more)) more; --csv has all.</p>" : "")
            """
        )
    }
}
