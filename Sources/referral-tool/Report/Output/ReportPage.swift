import WebFiles

/// A report as one HTML page, which needs nothing else.
struct ReportPage {
    /// The number of rows in the page's table. CSV has all of them.
    private static let maximumRows = 5_000
    /// Of more days, only those with a number are drawn.
    private static let maximumDays = 800

    private let report: Report

    static func html(_ report: Report) -> String { ReportPage(report: report).html }

    private var html: String {
        let style = PageTemplate.content([WebFiles.pages_css, WebFiles.report_css])
        let script = PageTemplate.content([WebFiles.report_min_js])
        let title = report.hasNumbers ? "Links, \(report.title)" : "A report on links"
        let main = report.hasNumbers ? funnel + chart + table : Self.list("What to do first", report.advice)
        let values: [String: String?] = [
            "policy": PageDocument.policy(styles: [style], scripts: [script]), "version": ReferralTool.version,
            "title": title, "heading": Self.sentence(title), "style": style, "script": script,
            "main": main + report.lists.map(Self.list).joined(),
        ]
        return PageTemplate.fill(String(cString: WebFiles.report_html), values)
    }

    /// Text from outside: its markup and its controls are shown as text, and its direction ends with it.
    private static func shown(_ text: String) -> String { "<bdi>\(LinkElement.escaped(text.shown(upTo: 200)))</bdi>" }

    private static func escaped(_ text: String) -> String { LinkElement.escaped(TerminalText.escaped(text)) }

    /// A sentence whose days and options aren't broken into two lines.
    private static func sentence(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let text = escaped(String(word))
            return word.hasPrefix("--")
                ? "<code>\(text)</code>" : Day(String(word)) == nil ? text : "<time>\(text)</time>"
        }.joined(separator: " ")
    }

    /// A width in thousandths of the drawing, at least four for a number that isn't zero.
    private static func width(_ count: Int, _ most: Int) -> Int {
        count <= 0 || most <= 0 ? 0 : max(4, Int((Double(count) / Double(most) * 1_000).rounded()))
    }

    private static func section(_ title: String, _ content: String) -> String {
        "<section class=\"card\">\n<h2>\(title)</h2>\n\(content)</section>\n"
    }

    private static func list(_ title: String, _ sentences: [String]) -> String {
        let items = sentences.map { "<li>\(sentence($0))</li>\n" }.joined()
        return section(title, "<ul class=\"notes\">\n\(items)</ul>\n")
    }

    // MARK: The drawings

    private var funnel: String {
        let steps = report.steps
        let most = steps.map(\.count).max() ?? 0
        let items = steps.enumerated().map { index, step in
            let width = Self.width(step.count, most)
            let slope = "0,0 \(Self.width(steps[max(0, index - 1)].count, most)),0 \(width),100 0,100"
            let loss = step.sentence.map {
                """
                <li class="loss"><svg class="slope" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">\
                <polygon points="\(slope)"/></svg><p>\(Self.escaped($0))</p></li>

                """
            }
            return (loss ?? "") + """
                <li class="step"><p><span>\(Self.shown(step.column.title))</span> <b>\(Progress.grouped(step.count))</b> \
                <span class="quiet">\(step.column.source)</span></p><svg class="bar" viewBox="0 0 1000 24" preserveAspectRatio="none" \
                aria-hidden="true"><rect width="\(width)" height="24"/></svg></li>

                """
        }
        return Self.section("From the link to the app", "<ol class=\"funnel\">\n\(items.joined())</ol>\n")
    }

    private static let charted: [Measure] = [.viewed, .opened, .tapped, .arrived]

    private var chart: String {
        // Events may come weeks after the last visit.
        let days = report.tally[.day].sorted.filter { day in Self.charted.contains { day.figures[$0] != 0 } }
        let figures = Dictionary(uniqueKeysWithValues: days.map { ($0.name, $0.figures) })
        let measures = Self.charted.filter { measure in days.contains { $0.figures[measure] != 0 } }
        let most = days.flatMap { day in measures.map { day.figures[$0] } }.max() ?? 0
        guard days.count > 1, let first = Day(days[0].name), let last = Day(days[days.count - 1].name) else {
            return ""
        }
        let isWhole = last.number - first.number < Self.maximumDays
        let shown = isWhole ? (first.number...last.number).map { Day(number: $0).text } : days.map(\.name)
        var (lines, legend) = ("", "")
        for (index, measure) in measures.enumerated() {
            let points = shown.enumerated().map { place, day in
                let y = 1_000 - Double(figures[day]?[measure] ?? 0) / Double(most) * 1_000
                return "\(place * 1_000 / (shown.count - 1)),\(Int(y.rounded()))"
            }
            lines += "<polyline class=\"line-\(index + 1)\" points=\"\(points.joined(separator: " "))\"/>"
            legend += """
                <li><svg class="key" viewBox="0 0 32 12" aria-hidden="true"><line class="line-\(index + 1)" x1="0" y1="6" x2="32" y2="6"/></svg> \
                \(Measure.columns[measure.rawValue].title)</li>
                """
        }
        let gaps = isWhole ? "" : "<p class=\"quiet\">Only the days with a number are drawn.</p>\n"
        return Self.section(
            "Day by day",
            """
            <figure class="chart"><p class="ends quiet"><span>\(Progress.grouped(most)) a day</span></p>
            <svg class="plot" viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="The numbers of each day">\(lines)</svg>
            <p class="ends quiet"><span>\(first.text)</span><span>\(last.text)</span></p>
            <ul class="legend">\(legend)</ul></figure>
            \(gaps)
            """
        )
    }

    // MARK: The table

    private var table: String {
        let table = report.table(rows: Self.maximumRows)
        let header = table[0].dropFirst().map { "<th scope=\"col\" class=\"number\">\(Self.escaped($0.shown))</th>" }
            .joined()
        let body = zip(table.dropFirst(), report.rows).map { cells, row in
            let numbers = cells.dropFirst().map { "<td class=\"number\">\($0)</td>" }.joined()
            let title = Self.shown(cells[0])
            return "<tr><td>\(row.group == nil ? title : "<i>\(title)</i>")</td>\(numbers)</tr>\n"
        }
        let more = report.rows.count - Self.maximumRows
        let rest = more > 0 ? "<p class=\"quiet\">And \(Progress.grouped(more)) more; --csv has all.</p>\n" : ""
        return Self.section(
            "By \(report.grouping.rawValue)",
            """
            <p class="search" hidden><label>Search <input type="search" autocomplete="off" spellcheck="false"></label> <span class="quiet" role="status"></span></p>
            <div class="scroll" tabindex="0" role="region" aria-label="The table"><table>
            <thead><tr><th scope="col">\(report.grouping.rawValue)</th>\(header)</tr></thead>
            <tbody>
            \(body.joined())</tbody>
            </table></div>
            \(rest)
            """
        )
    }
}
