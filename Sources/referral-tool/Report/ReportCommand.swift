/// `referral-tool report`: counts what logs and the app know of links.
enum ReportCommand: Command {
    private static func file(_ name: String, _ help: String) -> Option<String> {
        Option(name, "FILE", help, repeats: true)
    }

    private static func path(_ name: String, _ help: String, repeats: Bool = false) -> Option<[UInt8]> {
        Option(name, "PATH", help, repeats: repeats, form: "a path begins with a slash, such as /get") { text in
            let isPath = text.hasPrefix("/") && !text.contains { $0 == "?" || $0 == "#" }
            let texts = TextBuffer()
            return isPath ? text.withUTF8Bytes { Array(texts.page($0)) } : nil
        }
    }

    private static func day(_ name: String, _ help: String) -> Option<Day> {
        Option(name, "DATE", help, form: "a day is YYYY-MM-DD, such as 2026-10-01, from 1990 to 2100") { Day($0) }
    }

    private static let log = file("--log", "an access log of any web server; - is standard input")
    private static let counts = file("--counts", "exports of the app's ArrivalCounts, of one or many devices")
    private static let links = file("--links", "the CSV or TSV that 'links' wrote: the referrers, and people's names")
    private static let page = path("--page", "a landing page or /for/*; by default, all with a referrer", repeats: true)
    private static let count = path("--count", "where pages report; by default, each path with an event and a referrer")
    private static let from = day("--from", "the first day, in UTC")
    private static let to = day("--to", "the last day, in UTC")
    private static let grouping = Option<Tally.Grouping>("--by", "WHAT", "referrer (default), campaign, day or road")
    private static let app = Option.appID("counts only this app, if the app's counts are of several")
    private static let html = Option("--html", "FILE", "writes a page with drawings, for any browser")
    private static let csv = Option("--csv", "FILE", "writes the table as CSV")
    private static let json = Option("--json", "FILE", "writes everything as JSON")

    static let name = "report"
    static let summary = "counts who opened, tapped and arrived, from logs and the app"
    static let overview = """
        Counts how many people saw a link's page, tapped, arrived in the app and did what pays, by referrer. It reads
        what is there already: the access logs of the web server, and the app's own counts. Nothing is sent anywhere.
        """
    private static let options: [any AnyOption] = [
        log, counts, links, page, count, LandingItem.referrer, from, to, grouping, app, html, csv, json,
    ]
    static let usages = [[.operand("[FILE...]", help: ("FILE", "as for --log"))] + options.map(Usage.optional)]
    static let notes = """
        A GET of a landing page opens it; /get, /get/, /get.html and /get/index.html are one page. A * at the end of a page
        is the referrer: /for/anna is a visit of /for/*. PATH?event=view is a view of a page that counts, PATH?event=tap a
        tap, and with copied=1, the page copied the link. The status must be 200 to 299, or 304. Requests of one client and
        user agent are one visit, if each follows the one before by less than 30 minutes. Robots, link previews and
        prefetches are counted apart. Days are in UTC.
        """
    static let example = "referral-tool report /var/log/nginx/access.log --page /get --html report.html"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let tally = Tally()
        tally.scope.pages = try arguments.values(of: page)
        tally.scope.countPath = try arguments.value(of: count)
        if let name = try arguments.value(of: LandingItem.referrer) { tally.scope.item = Array(name.utf8) }
        (tally.scope.from, tally.scope.to) = (try arguments.value(of: from), try arguments.value(of: to))
        guard tally.scope.from?.number ?? 0 <= tally.scope.to?.number ?? .max else { throw .usage("--to is too early") }
        let grouping = try arguments.value(of: grouping) ?? .referrer
        let files = RunFiles()
        var outputs: [(file: OutputFile, text: (Report) -> String)] = []
        for (option, text) in [(html, ReportPage.html), (csv, ReportCSV.text), (json, ReportJSON.text)] {
            if let path = try arguments.value(of: option) { outputs.append((try files.output(path), text)) }
        }
        // Tables of links say which names and pages are known.
        for path in try arguments.values(of: links) { try LinksTable.count(try files.input(path), in: tally) }
        var appCounts = AppCounts(chosen: try arguments.value(of: app)?.description)
        for path in try arguments.values(of: counts) { try appCounts.count(try files.input(path), in: tally) }
        var logs: [LogFile] = []
        for path in try arguments.operands + arguments.values(of: log) {
            guard let file = try LogFile(try files.input(path)) else { continue }
            // Two logs of different requests don't have the same beginning.
            if let other = logs.first(where: { $0.beginning.elementsEqual(file.beginning) }) {
                throw .badData("\(whole: other.name) and \(whole: file.name) have the same lines; name one of them")
            }
            logs.append(file)
        }
        logs.sort { ($0.time ?? 0) < ($1.time ?? 0) }
        for file in logs { try file.count(in: tally) }

        let report = Report(tally, by: grouping)
        if outputs.isEmpty { try ByteStream.output.write(ReportText.text(report)) }
        for output in outputs { try output.file.write(output.text(report)) }
        for note in tally.notes where !outputs.isEmpty { ByteStream.note("\(reason: note)") }
        return .done
    }
}
