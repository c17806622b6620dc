/// `referral-tool report`: counts what logs and the app know of links.
enum ReportCommand: Command {
    private static func file(_ name: String, _ help: String) -> Option<String> {
        Option(name, "FILE", help, repeats: true, form: "", parse: { $0 })
    }

    private static func path(_ name: String, _ help: String, repeats: Bool = false) -> Option<[UInt8]> {
        Option(name, "PATH", help, repeats: repeats, form: "a path begins with a slash, such as /get") { text in
            let isPath = text.utf8.first == ASCII.slash && !text.utf8.contains(ASCII.questionMark)
            let texts = TextBuffer()
            return isPath && !text.utf8.contains(ASCII.hash) ? text.withUTF8Bytes { Array(texts.page($0)) } : nil
        }
    }

    private static func day(_ name: String, _ help: String) -> Option<Day> {
        Option(name, "DATE", help, form: "a day is YYYY-MM-DD, such as 2026-10-01, from 1990 to 2100") { Day($0) }
    }

    private static let log = file("--log", "an access log of any web server")
    private static let counts = file("--counts", "exports of the app's ArrivalCounts, of one or many devices")
    private static let links = file("--links", "the table that 'links' wrote: the referrers, and people's names")
    private static let pageHelp =
        "the path of a landing page; without it, every path whose query names a referrer, and those of --links"
    private static let page = path("--page", pageHelp, repeats: true)
    private static let countHelp =
        "the path to which pages report; without it, every path whose query has a referrer and event=view or event=tap"
    private static let count = path("--count", countHelp)
    private static let itemHelp = "the query item that names the referrer, ref by default"
    private static let item = Option("--ref", "NAME", itemHelp, form: "an item has a name") { $0.isEmpty ? nil : $0 }
    private static let otherItem = Option("--referrer-item", "NAME", "another name of --ref")
    private static let from = day("--from", "the first day, in UTC")
    private static let to = day("--to", "the last day, in UTC")
    private static let groupingHelp = "the rows of the table: referrer (the default), campaign, day or road"
    private static let grouping = Option<Tally.Grouping>("--by", "WHAT", groupingHelp)
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
    private static let fileHelp = "any of the following, recognized by its content; - is standard input"
    private static let options: [any AnyOption] = [
        log, counts, links, page, count, item, otherItem, from, to, grouping, app, html, csv, json,
    ]
    static let usages = [[.operand("[FILE...]", help: ("FILE", fileHelp))] + options.map(Usage.optional)]
    static let notes = """
        A GET of a landing page opens it; /get, /get/, /get.html and /get/index.html are one page. PATH?event=view is a
        view of a page that counts, PATH?event=tap a tap, and with copied=1, the page copied the link. The status must be
        200 to 299, or 304. Robots, link previews and prefetches are counted apart. Days are in UTC.

        Requests of one client address and user agent for one page and referrer are one visit, if each follows the one
        before by less than 30 minutes. A tap counts once per visit. If a log names no clients, each request is a visit.
        Logs are read in the order of their first times. Client addresses are in no output.

        The first \(CountText.grouped(NameTable.maximumCount)) referrers are counted by name, those of --links always. Without --html, --csv and --json,
        the report is printed. The exit status is 65 if a file can't be read, and 66 if there is none.
        """
    static let example = "referral-tool report /var/log/nginx/access.log --page /get --html report.html"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        var scope = ReportScope()
        scope.pages = try arguments.values(of: page)
        scope.countPath = try arguments.value(of: count)
        scope.item = try arguments.value(of: item) ?? arguments.text(of: otherItem) ?? scope.item
        scope.from = try arguments.value(of: from)
        scope.to = try arguments.value(of: to)
        if let first = scope.from, let last = scope.to, last.number < first.number {
            throw .value(last.text, of: to, "it is before --from \(name: first.text)")
        }
        var files = RunFiles()
        var outputs: [(file: OutputFile, text: (Report) -> String)] = []
        for (option, text) in [(html, ReportPage.html), (csv, ReportCSV.text), (json, ReportJSON.text)] {
            if let path = try arguments.value(of: option) { outputs.append((try files.output(path), text)) }
        }
        var paths: [(String, ReportReader.Kind?)] = arguments.operands.map { ($0, nil) }
        for (option, kind) in [(log, ReportReader.Kind.log), (counts, .counts), (links, .links)] {
            paths += try arguments.values(of: option).map { ($0, kind) }
        }
        var reader = ReportReader(scope, AppCounts(app: try arguments.value(of: app)?.description), files)
        let report = Report(try reader.read(paths), by: try arguments.value(of: grouping) ?? .referrer)
        if outputs.isEmpty { try ByteStream.output.write(ReportText.text(report)) }
        for output in outputs { try output.file.write(output.text(report)) }
        for note in report.tally.notes where !outputs.isEmpty { ByteStream.note("\(reason: note)") }
        return .done
    }
}
