import ReferralBridge

/// `referral-tool links`: a table in, the same table with a link in each row out.
enum LinksCommand: Command {
    static let name = "links"

    /// The column that is added.
    static let column = "link"

    static let help = """
        Makes a link for each row of a table, such as a spreadsheet of campaigns or of users who invite.

        usage: referral-tool links [FILE] --page ADDRESS | --app-id ID [--storefront CC] [--slug S]
                                   [--pt T] [--ct T] [--ppid UUID] [--at TIME] [--landing ADDRESS [--ref NAME]]
                                   [--from csv|tsv|jsonl] [--to csv|tsv|jsonl|html|txt] [--columns NAMES]
                                   [--rejects FILE] [--guard-formulas] [--jobs N] [--quiet]

        FILE, or standard input, is CSV with a header, TSV or JSON lines, as its name or --from says; CSV without either.
        The column 'referrer' is required. The columns ct, pt, ppid, slug, storefront and page override the options for
        their row where they are not empty, and param.KEY is the parameter KEY (in JSON lines also a member
        'parameters'). Everything comes out as it stood, in order, with a column 'link' behind it.

          --page ADDRESS     an App Store address; it stays as it is
          --app-id ID        the app's number, the digits behind id in its address
          --slug S           the app's name in the address, such as trestle-the-new-sudoku
          --storefront CC    the country in the address, such as us
          --pt T, --ct T     the provider and the campaign token; ct has at most 40 bytes
          --ppid UUID        a custom product page
          --at TIME          the moment of the tap: now (as it is without it), Unix milliseconds, or ISO 8601 with a zone
          --landing ADDRESS  links to this page of yours, with ?ref=REFERRER; its snippet takes the referrer from there.
                             Such a link never grows old. The App Store page and the parameters are that page's own
          --ref NAME         the name of that item instead of ref
          --from FORMAT      csv, tsv or jsonl
          --to FORMAT        the input's format, or csv, tsv or jsonl, html (an <a> element a row) or txt (a link a row)
          --columns NAMES    the columns' names, a,b,c, for a table without a header; then there is none in the output
          --rejects FILE     where rows go that were not taken, as they stood, each behind its reason
          --guard-formulas   puts an apostrophe in front of cells that a spreadsheet takes for formulas: those that begin
                             with = + - @, a tab or a carriage return. For csv and tsv; without it they are counted
          --jobs N           how many threads work; as many as there are cores without it
          --quiet            says nothing but what went wrong

        A row that is wrong is reported with its line and its reason, and all others come out; the exit status is then
        65. A link counts for five minutes from its moment on: for a mail take --landing, for a page --to html.

        example: printf 'referrer,name\\nanna,Anna\\n' | referral-tool links --app-id 1300230302 --at now

        """

    static let options: [Option] =
        PageParts.options + RowJob.options + [
            .value("--at"), .value("--landing"), .value("--ref"), .value("--to"),
        ]

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let plan = try plan(arguments)
        let input = try RowJob(arguments, formats: [.csv, .tsv, .jsonl], default: .csv)
        let to = try RowFormat.named(by: "--to", arguments, among: [.csv, .tsv, .jsonl, .html, .txt]) ?? input.format
        let guardsFormulas = try input.guardsFormulas(in: to)
        let columns = try input.columns(neededFor: to)
        if input.format != .jsonl, let columns { try check(columns, of: input, plan) }

        let writer = RowWriter(from: input.format, to: to, columns: columns, guardsFormulas: guardsFormulas)
        let header = try input.checked { () throws(RowError) in try writer.header(columns, adding: [column]) }
        let isWarned = to != .html && plan.landing == nil && !arguments.contains("--at")
        let warning = isWarned ? stampedLinks : nil
        return try input.run(columns: columns, to: to, header: header, warning: warning) { badRows in
            { LinksWork(plan, columns: columns, writer: writer, badRows: badRows) }
        }
    }

    private static let stampedLinks = """
        these links are stamped with this moment and count for five minutes from now on; \
        --landing makes links that do not grow old, --at says that you know
        """

    private static func plan(_ arguments: Arguments) throws(ToolError) -> LinkMaker.Plan {
        var landing: LandingPage?
        if let address = arguments["--landing"] {
            landing = LandingPage(address: address, item: arguments["--ref"] ?? "ref")
            if landing == nil, arguments["--ref"] == "" { throw .value("", of: "--ref", "a query item has a name") }
            guard landing != nil else {
                throw .value(address, of: "--landing", "an address begins with https:// or http:// and a host")
            }
        } else if arguments.contains("--ref") {
            throw .usage("--ref goes with --landing")
        }
        let tap = try arguments.read("--at", TimeText.timeForm, TimeText.time) ?? .now
        do { _ = try Referral(referrer: "x", timestamp: tap) } catch {
            throw .value(arguments["--at"] ?? "now", of: "--at", error.description)
        }
        let parts = try PageParts(arguments)
        try check(parts)
        return LinkMaker.Plan(parts: parts, tap: tap, landing: landing)
    }

    /// Finds what is wrong with the options before any row does: a token may still come from a row.
    private static func check(_ parts: PageParts) throws(ToolError) {
        guard parts.nameAnApp else { return }
        var parts = parts
        if parts[.pt] == nil, parts[.ct] != nil { parts[.pt] = "1" }
        if parts[.ct] == nil, parts[.pt] != nil { parts[.ct] = "1" }
        do { _ = try parts.storePage() } catch {
            throw .value(parts[error.part] ?? "", of: "--\(error.part.rawValue)", error.problem)
        }
    }

    /// Finds what is wrong with the columns before any row is looked at.
    private static func check(_ columns: Columns, of input: RowJob, _ plan: LinkMaker.Plan) throws(ToolError) {
        guard columns.index(of: "referrer") != nil else {
            throw input.badColumns(columns.missing("referrer", input.format))
        }
        guard columns.index(of: column) == nil else {
            throw input.badColumns("there is a column '\(column)' already; rename it, since the links get that name")
        }
        for name in columns.names {
            guard case .parameter(let parameter) = LinkColumn(name, forLandingPage: plan.landing != nil) else {
                continue
            }
            guard !["", "timestamp", "referrer"].contains(parameter) else {
                throw input.badColumns("the column \(ToolError.quoted(name)) names no parameter of a payload")
            }
        }
        if plan.landing == nil, !plan.parts.nameAnApp, columns.index(of: "page") == nil {
            throw .usage("which page? Give either --page ADDRESS or --app-id ID, or a column 'page'")
        }
    }
}
