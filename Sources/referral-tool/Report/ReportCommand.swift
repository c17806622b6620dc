import UnlockCatalog

/// `referral-tool report`: counts what logs, the app and the stores know of links.
enum ReportCommand: Command {
    private static func file(_ name: String, _ help: String) -> Option<String> {
        Option(name, "FILE", help, repeats: true, form: "", parse: { $0 })
    }

    private static let log = file(
        "--log",
        "an access log: Common or Combined (Apache, nginx), Caddy's JSON, CloudFront's standard log or Cloudflare's Logpush"
    )
    private static let counts = file(
        "--counts",
        "the app's counts, as ArrivalCounts exports them, of one or many devices"
    )
    private static let store = file("--store", "a table of campaigns from App Store Connect or Google Play")
    private static let links = file("--links", "what 'links' wrote: the referrers, and who they are")
    private static let guestbook = file("--guestbook", "records of a guestbook, as 'cktool query-records' writes them")
    private static let partial = file(
        "--partial",
        "the report of a part, from --json; give the parts in the order of the log"
    )
    private static let pathForm: Sentence = "a path begins with a slash, such as /get"
    private static let page = Option(
        "--page",
        "PATH",
        "the path of a landing page; without it, every path whose query names a referrer",
        repeats: true,
        form: pathForm,
        parse: path
    )
    private static let count = Option(
        "--count",
        "PATH",
        "the path to which pages report; without it, every path whose query has a referrer and event=view or event=tap",
        form: pathForm,
        parse: path
    )
    private static let item = Option(
        "--ref",
        "NAME",
        "the query item that names the referrer, ref by default",
        form: "a query item has a name"
    ) { $0.isEmpty ? nil : $0 }
    private static let dayForm: Sentence = "a day is YYYY-MM-DD, such as 2026-10-01, from 1990 to 2100"
    private static let from = Option("--from", "DATE", "the first day, in UTC", form: dayForm, parse: { Day($0) })
    private static let to = Option("--to", "DATE", "the last day, in UTC", form: dayForm, parse: { Day($0) })
    private static let compare = Option(
        "--compare",
        "DATE",
        "two reports side by side: the days before this one, and the days from this one on",
        form: dayForm,
        parse: { Day($0) }
    )
    private static let grouping = Option<Report.Grouping>(
        "--by",
        "WHAT",
        "the rows of the table: referrer (the default), campaign, day or road"
    )
    private static let label = Option(
        "--name",
        "COLUMN",
        "the column of --links with the people's names, 'name' by default"
    )
    private static let html = Option("--html", "FILE", "writes a page with drawings, for any browser")
    private static let csv = Option("--csv", "FILE", "writes the table as CSV")
    private static let json = Option("--json", "FILE", "writes everything as JSON, which --partial reads")

    static let name = "report"
    static let summary = "counts who opened, tapped and arrived, from logs, the app and the stores"
    static let overview = """
        Counts how many people saw a link's page, tapped, arrived in the app and did what pays, by referrer. It reads
        what is there already: the web server's access logs, the app's own counts, and the stores' tables. Nothing is
        sent anywhere.
        """
    static let usages: [[Usage]] = [
        [
            .operand(
                "[FILE...]",
                help: ("FILE", "any of the following, recognized by its content; - is standard input; gzip is read too")
            )
        ] + Usage.optional(log, counts, store, links, guestbook, partial)
            + Usage.optional(page, count, item, from, to, grouping, label, html, csv, json, compare)
    ]
    static let notes = """
        Which requests count: GET for a landing page, and GET or POST for the count address, with a status from 200 to
        399. PATH?event=view is a view and PATH?event=tap a tap, and with copied=1, the page copied the link. Robots and
        link previews, by their user agents, and prefetches, where the log has their headers, are counted apart. Days
        are in UTC.

        Requests of the same client address and user agent for the same page and referrer are one visit, if each follows
        the one before by less than 30 minutes. A tap counts once per visit. A visit is forgotten once the log has come
        to a minute that is more than 30 minutes from its last request. Client addresses are in no output.

        Parts of a log: cut it at any line, make a report of each part with the same options and --json, and give the
        reports to --partial in the order of the log. The sum is byte for byte the report of the whole. For this, a
        report in JSON has a digest of each visit in its first hour and its last half hour: 28 bits of the client, so
        that it can't be read back. Give --links, --store, --counts and --guestbook to one part only.

        The first 100,000 referrers are counted by name, those of --links always. The others are counted together; which
        ones these are doesn't depend on their order. The names of App Store Connect's and Google Play's campaigns count
        as referrers, or are assigned by a column 'ct' of --links.

        Numbers of different sources stand beside each other, and are never added. Without --html, --csv and --json, the
        report is printed. - as FILE is standard output. In CSV, a cell that a spreadsheet would read as a formula gets
        an apostrophe.

        The exit status is 65 if a file can't be recognized or read, and 66 if there is none.
        """
    static let example = "referral-tool report /var/log/nginx/access.log* --page /get --html report.html"

    private static func path(_ text: String) -> String? {
        text.utf8.first == ASCII.slash && !text.utf8.contains(ASCII.questionMark) && !text.utf8.contains(ASCII.hash)
            ? text : nil
    }

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let outputs = try Outputs(arguments, html: html, csv: csv, json: json)
        var scope = ReportScope()
        scope.pages = try arguments.values(of: page)
        scope.countPath = try arguments.value(of: count)
        scope.item = try arguments.value(of: item) ?? scope.item
        scope.from = try arguments.value(of: from)
        scope.to = try arguments.value(of: to)
        scope.comparison = try arguments.value(of: compare)
        if let first = scope.from, let last = scope.to, last < first {
            throw .value(last.text, of: to, "it is before --from \(name: first.text)")
        }
        let named: [(Option<String>, ReportSource)] = [
            (log, .log), (counts, .counts), (store, .store), (links, .links), (guestbook, .guestbook),
            (partial, .partial),
        ]
        var files: [ReportFile] = arguments.operands.map { ReportFile(path: $0, source: nil) }
        for (option, source) in named {
            files += try arguments.values(of: option).map { ReportFile(path: $0, source: source) }
        }
        let sets = [page, count, item, from, to, compare] as [any AnyOption]
        var reader = ReportReader(
            scope: scope,
            adoptsScope: !sets.contains(where: arguments.contains),
            label: arguments.text(of: label),
            outputs: outputs.streams
        )
        try reader.read(files)
        let report = Report(tally: reader.finish(), grouping: try arguments.value(of: grouping) ?? .referrer)
        try outputs.write(report)
        return .done
    }
}
