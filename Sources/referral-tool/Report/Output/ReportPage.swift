import UnlockCatalog

/// A report as one HTML page, which needs nothing else.
struct ReportPage {
    /// The number of rows in the page's table. CSV has all of them.
    private static let maximumRows = 5_000
    private static let bestCount = 10
    /// Of more days, only those with a number are drawn.
    private static let maximumDays = 800

    private let report: Report
    private let rows: [Report.Row]

    static func html(_ report: Report) -> String { ReportPage(report: report, rows: report.rows).html }

    private var html: String {
        let style = PageTemplate.content(PackageResources.pages_css, PackageResources.report_css)
        let script = PageTemplate.content(PackageResources.report_min_js)
        let main = report.hasNumbers ? [periods, chart, best, table, reading, limits].joined() : advice
        let title = report.periods.count > 1 ? "Links, before and after" : "Links, " + report.periods[0].title
        let values: [String: String?] = [
            "policy": PageDocument.policy(styles: [style], scripts: [script]), "version": ReferralTool.version,
            "title": report.hasNumbers ? title : "A report on links",
            "heading": Self.heading(report.hasNumbers ? title : "A report on links"), "style": style, "script": script,
            "main": main,
        ]
        return PageTemplate.fill(PageTemplate.text(PackageResources.report_html), values)
    }

    /// Text from outside: its markup and its controls are shown as text, and its direction ends with it.
    private static func shown(_ text: String) -> String { "<bdi>\(LinkElement.escaped(text.shown(upTo: 200)))</bdi>" }

    private static func escaped(_ text: String) -> String { LinkElement.escaped(TerminalText.escaped(text)) }

    /// A heading whose days aren't broken into two lines.
    private static func heading(_ text: String) -> String {
        text.split(separator: " ").map { word in
            Day(String(word)) == nil ? escaped(String(word)) : "<time>\(word)</time>"
        }.joined(separator: " ")
    }

    /// A width in thousandths of the drawing, at least one for a number that isn't zero.
    private static func width(_ count: Int, _ most: Int) -> Int {
        count <= 0 || most <= 0 ? 0 : max(4, Int((Double(count) / Double(most) * 1_000).rounded()))
    }

    // MARK: The funnel

    private var periods: String {
        let steps = report.periods.map { ($0, report.steps(of: $0)) }
        let most = steps.flatMap { $0.1.flatMap { $0.figures.map(\.count) } }.max() ?? 0
        let sections = steps.map { period, steps in
            let title =
                report.periods.count > 1
                ? "<h2>\(Self.heading(period.title))</h2>\n" : "<h2>From the link to the app</h2>\n"
            return "<section class=\"card\">\n\(title)\(Self.funnel(steps, most))</section>\n"
        }
        return "<div class=\"periods\">\n\(sections.joined())</div>\n"
    }

    private static func funnel(_ steps: [Report.StepView], _ most: Int) -> String {
        var items = ""
        for (index, step) in steps.enumerated() {
            let first = width(step.figures[0].count, most)
            if index > 0 {
                let above = width(steps[index - 1].figures.last?.count ?? 0, most)
                let points = "0,0 \(above),0 \(first),100 0,100"
                items +=
                    "<li class=\"loss\"><svg class=\"slope\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                    + "<polygon points=\"\(points)\"/></svg><p>\(escaped(step.sentence ?? ""))</p></li>\n"
            }
            items += "<li class=\"step\">"
            for (place, figure) in step.figures.enumerated() {
                let name = place == 0 ? "<span>\(shown(step.title))</span> " : ""
                items +=
                    "<p>\(name)<b>\(Progress.grouped(figure.count))</b> <span class=\"quiet\">\(figure.source)</span></p>"
                    + "<svg class=\"bar\" viewBox=\"0 0 1000 24\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                    + "<rect width=\"\(width(figure.count, most))\" height=\"24\"/></svg>"
            }
            items += "</li>\n"
        }
        return "<ol class=\"funnel\">\n\(items)</ol>\n"
    }

    // MARK: The days

    private static let charted: [Measure] = [.viewed, .opened, .tapped, .downloads, .acquisitions, .arrived]

    private var chart: String {
        // Events may come weeks after the last visit.
        let days = report.tally.days.filter { day in Self.charted.contains { day.value[$0] != 0 } }
        guard let first = days.keys.min(), let last = days.keys.max(), first < last else { return "" }
        let isWhole = last.number - first.number < Self.maximumDays
        let shown = isWhole ? (first.number...last.number).map { Day(number: $0) } : days.keys.sorted()
        let measures = Self.charted.filter { measure in days.values.contains { $0[measure] != 0 } }.prefix(5)
        let most = days.values.flatMap { day in measures.map { day[$0] } }.max() ?? 0
        guard most > 0 else { return "" }
        var lines = ""
        var legend = ""
        for (index, measure) in measures.enumerated() {
            let points = shown.enumerated().map { place, day in
                let count = max(0, days[day]?[measure] ?? 0)
                let x = Double(place) / Double(max(1, shown.count - 1)) * 1_000
                let y = (1 - Double(count) / Double(most)) * 1_000
                return "\(Int(x.rounded())),\(Int(y.rounded()))"
            }
            lines += "<polyline class=\"line-\(index + 1)\" points=\"\(points.joined(separator: " "))\"/>"
            legend +=
                "<li><svg class=\"key\" viewBox=\"0 0 32 12\" aria-hidden=\"true\"><line class=\"line-\(index + 1)\" x1=\"0\" y1=\"6\" "
                + "x2=\"32\" y2=\"6\"/></svg> \(Self.escaped(measure.title))</li>"
        }
        let gaps = isWhole ? "" : "<p class=\"quiet\">Only the days with a number are drawn.</p>\n"
        return """
            <section class="card">
            <h2>Day by day</h2>
            <figure class="chart"><p class="ends quiet"><span>\(Progress.grouped(most)) a day</span></p>
            <svg class="plot" viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="The numbers of each day">\(lines)</svg>
            <p class="ends quiet"><span>\(first.text)</span><span>\(last.text)</span></p>
            <ul class="legend">\(legend)</ul></figure>
            \(gaps)</section>

            """
    }

    // MARK: The rows

    /// The ten best referrers, by the last step that has numbers.
    private var best: String {
        guard report.grouping == .referrer || report.grouping == .campaign,
            let measure = Report.ranks.first(where: report.tally.has)
        else { return "" }
        func count(_ row: Report.Row) -> Int { row.figures.before[measure] &+ row.figures.after[measure] }
        let best = rows.filter { count($0) > 0 && !$0.isGroup }.prefix(Self.bestCount)
        guard let most = best.map(count).max(), best.count > 1 else { return "" }
        let items = best.map { row in
            "<li>\(Self.shown(row.title))<b>\(Progress.grouped(count(row)))</b>"
                + "<svg viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"\(Self.width(count(row), most))\" "
                + "height=\"8\"/></svg></li>\n"
        }
        let title = best.count == Self.bestCount ? "The ten best" : "The best"
        return
            "<section class=\"card\">\n<h2>\(title)</h2>\n<p class=\"quiet\">By \(Self.escaped(measure.title)), \(measure.source)</p>\n"
            + "<ol class=\"best\">\n\(items.joined())</ol>\n</section>\n"
    }

    private var table: String {
        let columns = report.columns
        let periods = report.periods
        var header = "<th scope=\"col\">\(report.grouping.rawValue)</th>"
        for period in periods {
            let suffix = periods.count > 1 ? ", \(period.period.rawValue)" : ""
            header += columns.map { "<th scope=\"col\" class=\"number\">\(Self.escaped($0.title.shown + suffix))</th>" }
                .joined()
        }
        var body = ""
        for row in rows.prefix(Self.maximumRows) {
            body += "<tr><td>\(Self.shown(row.title))</td>"
            for period in periods {
                for column in columns {
                    body +=
                        "<td class=\"number\">\(Progress.grouped(column.count(in: row.figures[period.period])))</td>"
                }
            }
            body += "</tr>\n"
        }
        let more = rows.count - Self.maximumRows
        let rest = more > 0 ? "<p class=\"quiet\">And \(Progress.grouped(more)) more; --csv has all.</p>\n" : ""
        return """
            <section class="card">
            <h2>By \(report.grouping.rawValue)</h2>
            <p class="search" hidden><label>Search <input type="search" autocomplete="off" spellcheck="false"></label> <span class="quiet" role="status"></span></p>
            <div class="scroll" tabindex="0" role="region" aria-label="The table"><table>
            <thead><tr>\(header)</tr></thead>
            <tbody>
            \(body)</tbody>
            </table></div>
            \(rest)</section>

            """
    }

    // MARK: The words

    private static func list(_ title: String, _ sentences: [String]) -> String {
        guard !sentences.isEmpty else { return "" }
        let items = sentences.map { "<li>\(escaped($0))</li>\n" }.joined()
        return "<section class=\"card\">\n<h2>\(title)</h2>\n<ul class=\"notes\">\n\(items)</ul>\n</section>\n"
    }

    private var reading: String { Self.list("What was read", report.reading) }

    private var limits: String { Self.list("What these numbers can't show", report.limits) }

    private var advice: String {
        Self.list("What to do first", Report.advice)
            + Self.list("What was read", report.hasRead ? report.reading : [])
    }
}
