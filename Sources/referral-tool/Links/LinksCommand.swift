/// `referral-tool links`: adds a link to each row of a table.
enum LinksCommand: Command {
    /// The column of the links.
    static let column: Name = "link"

    /// The longest address of all links, in bytes: rows are shorter, and the memory is the same for any table.
    private static let maximumAddress = 2_048
    private static let tooLong: Sentence = "longer than 2,048 bytes"

    private static let landing = Option(
        "--landing",
        "ADDRESS",
        """
        makes links to your own page, with ?via=REFERRER, or with the referrer in place of a * at the end of its path, as in \
        https://example.com/for/*; such a link does not expire, and your page determines the App Store page and, without --sign, \
        the parameters
        """
    )
    private static let referrers = Option(
        "--referrer-column",
        "NAME",
        "the column with the referrers, 'referrer' by default",
        form: "a column has a name"
    ) { $0.isEmpty ? nil : $0 }
    private static let sheet = Option(
        "--sheet",
        "FILE",
        """
        with --landing: also writes a page with the QR codes of the links, to print or to save as SVG, each with the row's \
        'name' or its referrer; at most \(CountText.grouped(CodeSheet.maximumCount))
        """
    )
    private static let from = Option<RowFormat>(
        "--from",
        "FORMAT",
        """
        the format of the input, if its name doesn't show it: csv (the default), tsv or jsonl; csv may have tabs or semicolons \
        in place of commas
        """,
        oneOf: [.csv, .tsv, .jsonl]
    )
    private static let output = Option<RowFormat>(
        "--to",
        "FORMAT",
        "html (one <a> element per row) or txt (one link per row); by default, the output has the input's format",
        oneOf: [.html, .txt]
    )

    static let name = "links"
    static let summary = "makes a link for each row of a table"
    static let overview = """
        Makes a link for each row of a table, such as a spreadsheet of campaigns or of users who invite others.
        """
    private static let optional: [Usage] =
        Usage.optional(referrers, Option.at, landing, LandingItem.referrer, LandingItem.handedOn, from, output, sheet)
    static let usages = [[RowJob.file] + PageParts.usage + optional + LinkSigner.usage + RowJob.tableUsage]
    static let notes = """
        The column 'referrer' is required; --referrer-column names another one. White space around a referrer isn't a part of
        it. The columns ct, pt, ppid, slug, storefront and page override the options for their row unless they are empty, and
        the column param.KEY is the parameter KEY. Letter case matters only in KEY. With a column page, no option needs to name
        a page. All rows are written unchanged and in order, with a column 'link' at the end. A note on standard error names
        the columns without an effect on the links.

        An invalid row is reported with its line and the reason, and left out; the exit status is then 65. A row without any
        value stays as it is, without a link. A link is valid for five minutes after its time: use --landing for an email and
        --to html for a page.

        With --landing, the link contains only the parameters that --item names, which the page must pass on too: referral-tool
        page --item NAME. With --sign, it contains all of them, until and sig, and the page passes these to the app: give its
        app and its --referrer-item here too.
        """
    static let example =
        "printf 'referrer,name\\nanna,Anna\\n' | referral-tool links --app-id 1300230302 --at now"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let links = try options(arguments)
        let sheet = arguments.text(of: Self.sheet)
        guard sheet == nil || links.landing != nil else {
            throw .usage("--sheet requires --landing: a link to the App Store expires before anyone scans it")
        }
        let named = arguments.operands.first.flatMap(RowFormat.init(fileName:))
        let job = try RowJob(arguments, format: try arguments.value(of: from) ?? named ?? .csv)
        let columns = try job.columns { $0 == column || links.role(of: $0) != .other }
        let to = try arguments.value(of: output) ?? job.format
        if let columns { try check(columns, of: job, links, to: to) }
        let expire = to != .html && links.landing == nil && !arguments.contains(Option.at)
        let warning: Sentence =
            "these links expire in five minutes; --landing makes links that do not expire, --at silences this warning"
        let writer = RowWriter(from: job.format, to: to, columns: columns, added: column)
        let options = ignoredOptions(arguments, links)
        var codes: [CodeSheet.Code] = []
        var referrers: [String] = []
        let status = try job.run(
            writer,
            otherThan: links.signer.map { [$0.file.stream] } ?? [],
            writesAlso: sheet,
            { LinksWork(links, writer, collectsCodes: sheet != nil) },
            collect: {
                codes += $0.codes.prefix(CodeSheet.maximumCount - codes.count)
                referrers += $0.referrers
            },
            summary: { counts in
                let names = (columns?.names ?? counts.ignored).filter { name in
                    links.role(of: name) == .other && !(sheet != nil && Columns.key(name) == CodeSheet.nameColumn)
                }
                let note = ignoredNote(options, names, columns == nil ? "member" : "column", links)
                let trimmed: Sentence = "\(ReferrerText.note): \(name: CountText.count(counts.trimmed, "row"))"
                let isCut = codes.count == CodeSheet.maximumCount && counts.rows - counts.rejected > codes.count
                let cut: Sentence =
                    "the sheet has the first \(name: CountText.grouped(codes.count)) links; divide the table for more"
                let expiry = expire && counts.rows > counts.rejected ? warning : nil
                let spaces = counts.trimmed > 0 ? trimmed : nil
                return [expiry, note, spaces, lookalikes(referrers), isCut ? cut : nil].compactMap(\.self)
            }
        )
        if let sheet { try OutputFile(path: sheet).write(CodeSheet.html(codes)) }
        return status
    }

    /// The note on referrers that look alike; `nil` if there are none.
    private static func lookalikes(_ referrers: [String]) -> Sentence? {
        let groups = Lookalikes.groups(referrers)
        let examples = groups.prefix(3).map(Lookalikes.list).joined(separator: "; ")
        let count: Sentence = "\(name: CountText.grouped(groups.joined().count)) referrers"
        return groups.isEmpty ? nil : "\(count) \(reason: Lookalikes.difference), and count apart: \(reason: examples)"
    }

    /// The options that a landing page makes useless. A signature still needs the app.
    private static func ignoredOptions(_ arguments: Arguments, _ links: LinkOptions) -> [String] {
        guard links.landing != nil else { return [] }
        let app: [any AnyOption] = links.signer == nil ? [PageParts.appIDOption, PageParts.Part.page.option] : []
        let others = PageParts.Part.allCases.filter { $0 != .page }.map(\.option)
        return (app + others + [Option.at]).filter(arguments.contains).map(\.name)
    }

    /// The note on options, and on columns or members, without an effect on the links; `nil` if there are none.
    private static func ignoredNote(_ options: [String], _ names: [Name], _ noun: Sentence, _ links: LinkOptions)
        -> Sentence?
    {
        var seen: Set<Name> = []
        let names = names.filter { !Columns.key($0).rawValue.isEmpty && seen.insert($0).inserted }
        let shown = names.prefix(8).map { "the \(noun) \(quoted: $0.rawValue)" as Sentence }
        let all = options.map { "\(name: $0)" } + shown + (names.count > 8 ? ["others"] : [])
        let hasParts = links.landing != nil && names.contains { PageParts.Part.named(Columns.key($0)) != nil }
        let isOfPage = !options.isEmpty || hasParts
        let reason: Sentence = isOfPage ? ": the landing page has its own link to the App Store" : ""
        return all.isEmpty ? nil : "no effect on the links: \(all.joined(separator: ", "))\(reason)"
    }

    private static func options(_ arguments: Arguments) throws(ToolError) -> LinkOptions {
        var page: LandingTemplate?
        let (item, handedOn) = try LandingItem.names(arguments, hasPage: arguments.contains(landing))
        if let address = arguments.text(of: landing) {
            do { page = try LandingTemplate(address: address, item: item, handedOn: handedOn) } catch {
                throw .value(address, of: landing, error.problem)
            }
            guard page?.isPath != true || !arguments.contains(LandingItem.referrer) else {
                throw .usage("the * of --landing is the referrer's place; omit --referrer-item")
            }
            guard address.utf8.count <= maximumAddress else { throw .value(address, of: landing, tooLong) }
            guard !LandingTemplate.isAppStore(address) else {
                throw .value(address, of: landing, "a landing page is your own page, not one of the App Store")
            }
        }
        let tap = try LinkCommand.tap(of: arguments)
        let parts = try PageParts(arguments)
        try check(parts, isQuiet: arguments.contains(RowJob.quiet))
        let signer = try LinkSigner(arguments, tap: page == nil ? tap : nil)
        if signer != nil, arguments.contains(LandingItem.handedOn) {
            throw .usage("--item is for links without --sign; a signed link contains all parameters of its row")
        }
        guard signer == nil || page == nil || parts.identifyAnApp else {
            throw .usage("a signature is for one app: with --landing and --sign, give --app-id ID or --page ADDRESS")
        }
        let referrerColumn = Name(try arguments.value(of: referrers) ?? "referrer")
        return LinkOptions(parts: parts, tap: tap, landing: page, signer: signer, referrer: referrerColumn)
    }

    /// Finds errors in the options before any row does. A missing token may still come from a row.
    private static func check(_ parts: PageParts, isQuiet: Bool) throws(ToolError) {
        guard parts.identifyAnApp else { return }
        var complete = parts
        for token in [PageParts.Part.pt, .ct] where parts[.pt] ?? parts[.ct] != nil {
            complete[token] = parts[token] ?? "1"
        }
        do throws(RowError) {
            let page = try complete.storePage()
            guard page.address.utf8.count <= maximumAddress else { throw RowError("page", tooLong) }
            if !isQuiet { parts.writeNote(on: page) }
        } catch {
            throw parts.usageError(error)
        }
    }

    /// Finds errors in the columns before any row does.
    private static func check(
        _ columns: Columns,
        of job: RowJob,
        _ links: LinkOptions,
        to output: RowFormat
    ) throws(ToolError) {
        guard columns.index(of: links.referrer) != nil else {
            throw job.columnError(columns.missing(links.referrer, option: referrers.name))
        }
        if let index = columns.index(of: column) {
            let name = columns.names[index].rawValue
            throw job.columnError(
                "there is a column \(quoted: name) already; rename it, since the links need that name"
            )
        }
        for name in columns.names {
            guard case .parameter(let parameter) = links.role(of: name) else { continue }
            guard !parameter.isEmpty, !LinkOptions.isReserved(parameter) else {
                throw job.columnError("the column \(quoted: name.rawValue) isn't the name of a possible parameter")
            }
            let isOnPage = links.landing == nil ? output == .html : links.signer != nil
            guard !isOnPage || LinkElement.attribute(for: parameter) != nil else {
                throw job.columnError("the column \(quoted: name.rawValue): \(LinkElement.nameForm)")
            }
        }
        if links.landing == nil, !links.parts.identifyAnApp, columns.index(of: "page") == nil {
            throw .usage("which page? Give either --page ADDRESS or --app-id ID, or a column 'page'")
        }
    }
}
