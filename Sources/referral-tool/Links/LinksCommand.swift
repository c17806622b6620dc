import UnlockCatalog

/// `referral-tool links`: adds a link to each row of a table.
enum LinksCommand: Command {
    /// The column of the links.
    static let column: Name = "link"

    private static let landing = Option(
        "--landing",
        "ADDRESS",
        """
        makes links to your own page, with ?ref=REFERRER, for its snippet; such a link does not expire, and your page determines \
        the App Store page and, without --sign, the parameters
        """
    )
    static let item = Option("--ref", "NAME", "with --landing: the name of the query item, ref by default")
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
        'name' or its referrer; at most \(Progress.grouped(CodeSheet.maximumCount))
        """
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
    static let usages = [
        [RowJob.file] + PageParts.usage + Usage.optional(referrers, Option.at, landing, item, HandedOnItem.option)
            + LinkSigner.usage
            + Usage.optional(RowJob.links, output, sheet)
            + RowJob.optionalUsage
    ]
    static let notes = """
        The column 'referrer' is required; --referrer-column names another one. White space around a referrer isn't a part of
        it. The columns ct, pt, ppid, slug, storefront and page override the options for their
        row unless they are empty, and the column param.KEY is the parameter KEY. Letter case matters only in KEY. JSON lines
        can also have a member 'parameters'. With a column page, no option needs to name a page. All rows are written
        unchanged and in order, with a column 'link' at the end. A note on standard error names the columns without an effect
        on the links.

        Commas separate the cells of CSV. If its first line has none, tabs do. If it has no tabs either, semicolons do. The
        output keeps the separator.

        An invalid row is reported with its line and the reason, and left out; the exit status is then 65. A row without any
        value stays as it is, without a link. Notes name rows with the same link, and referrers that differ only by letter case
        or white space, among the first \(Progress.grouped(LinkedRows.maximumCount)) rows. A link is valid for
        five minutes after its time: use --landing for an email and --to html for a page.

        With --landing but without --sign, the link contains only the parameters that --item names, which the page must pass on
        too: referral-tool page --item NAME. A row with any other parameter is invalid.

        With --landing and --sign, the address of the landing page also contains the row's parameters, until and sig. A page
        made with referral-tool page passes these to the app instead of its own parameters. Give its app and its --ref here
        too: all rows are signed for that app.
        """
    static let example =
        "printf 'referrer,name\\nanna,Anna\\n' | referral-tool links --app-id 1300230302 --at now"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let links = try options(arguments)
        let sheet = arguments.text(of: Self.sheet)
        guard sheet == nil || links.landing != nil else {
            throw .usage("--sheet requires --landing: a link to the App Store expires before anyone scans it")
        }
        let input = try RowJob(arguments, format: RowJob.links, default: .csv)
        let writer = try input.writer(to: try arguments.value(of: output)) { key in
            key == column || links.roles.role(ofKey: key) != .other
        }
        if let columns = writer.columns { try check(columns, of: input, links, to: writer.to) }
        let expire = writer.to != .html && links.landing == nil && !arguments.contains(Option.at)
        let warning: Sentence =
            "these links expire in five minutes; --landing makes links that do not expire, --at silences this warning"
        let key = links.signer.map { [$0.file.stream] } ?? []
        let isQuiet = arguments.contains(RowJob.quiet)
        let linkedRows = isQuiet && sheet == nil ? nil : LinkedRows(compares: !isQuiet, collectsCodes: sheet != nil)
        let makeWork = { @Sendable in LinksWork(links, writer, collectsCodes: sheet != nil) }
        let options = ignoredOptions(arguments, links)
        let summary = { (counts: Counts) -> [Sentence] in
            let notes = [note(on: options, counts, writer, links, hasSheet: sheet != nil).text].compactMap(\.self)
            return isQuiet ? [] : notes + collisions(of: writer, links) + (linkedRows?.notes(on: counts) ?? [])
        }
        let status = try input.run(
            writer,
            adding: [column],
            warning: expire ? warning : nil,
            otherThan: key,
            writesAlso: sheet,
            makeWork,
            linkedRows: linkedRows,
            summary: summary
        )
        if let sheet, let codes = linkedRows?.codes, Interruption.status == nil {
            try OutputFile(path: sheet).write(CodeSheet.html(codes))
        }
        return status
    }

    /// The options that a landing page makes useless. A signature still needs the app.
    private static func ignoredOptions(_ arguments: Arguments, _ links: LinkOptions) -> [String] {
        guard links.landing != nil else { return [] }
        let app: [any AnyOption] = links.signer == nil ? [PageParts.appIDOption, PageParts.Part.page.option] : []
        let others = PageParts.Part.allCases.filter { $0 != .page }.map(\.option)
        return (app + others + [Option.at]).filter(arguments.contains).map(\.name)
    }

    private static func note(
        on options: [String],
        _ counts: Counts,
        _ writer: RowWriter,
        _ links: LinkOptions,
        hasSheet: Bool
    ) -> IgnoredNote {
        let isMember = writer.from == .jsonl
        let names = isMember ? counts.ignored.names : writer.names
        return IgnoredNote(
            options: options,
            names: names.filter { name in
                links.roles.role(of: name) == .other && !(hasSheet && Columns.key(name) == CodeSheet.nameColumn)
            },
            isMember: isMember,
            // Accepted rows have a referrer.
            used: isMember
                ? counts.rejected == 0 ? [links.roles.referrerKey] : [] : names.map(Columns.key),
            roles: links.roles
        )
    }

    /// The columns of parameters that a landing page reads from its address itself.
    private static func collisions(of writer: RowWriter, _ links: LinkOptions) -> [Sentence] {
        guard links.target == .signedLandingPage, let item = links.landing?.item, writer.from != .jsonl else {
            return []
        }
        return writer.names.compactMap { name in
            guard case .parameter(let parameter) = links.roles.role(of: name),
                let use = parameter == item ? "the referrer" : parameter == "lang" ? "its language" : nil
            else { return nil }
            return "the column \(Columns.shown(name)) has the name of the landing page's own item for \(name: use); "
                + "rename it if that isn't intended"
        }
    }

    private static func options(_ arguments: Arguments) throws(ToolError) -> LinkOptions {
        var page: LandingTemplate?
        if let address = arguments.text(of: landing) {
            let item = arguments.text(of: item) ?? "ref"
            guard !item.isEmpty else { throw .value("", of: Self.item, "a query item has a name") }
            let handedOn = try HandedOnItem.names(arguments, referrerItem: item)
            page = LandingTemplate(address: address, item: item, handedOn: handedOn)
            guard page != nil else {
                throw .value(address, of: landing, "an address begins with https:// or http:// and a host")
            }
            guard !LandingTemplate.isAppStore(address) else {
                throw .value(address, of: landing, "a landing page is your own page, not one of the App Store")
            }
        } else {
            for option in [item, HandedOnItem.option] as [any AnyOption] where arguments.contains(option) {
                throw .usage("\(name: option.name) requires --landing")
            }
        }
        let tap = try arguments.value(of: .at) ?? .now
        do { _ = try Referral(referrer: "x", timestamp: tap) } catch {
            throw .value(arguments.text(of: Option.at) ?? "now", of: Option.at, "\(reason: error)")
        }
        let parts = try PageParts(arguments)
        try check(parts, isQuiet: arguments.contains(RowJob.quiet))
        let signer = try LinkSigner(arguments, tap: page == nil ? tap : nil)
        if signer != nil, arguments.contains(HandedOnItem.option) {
            throw .usage("--item is for links without --sign; a signed link contains all parameters of its row")
        }
        guard signer == nil || page == nil || parts.identifyAnApp else {
            throw .usage("a signature is for one app: with --landing and --sign, give --app-id ID or --page ADDRESS")
        }
        let referrerColumn = Name(try arguments.value(of: referrers) ?? "referrer")
        return LinkOptions(parts, tap, page, signer, referrerColumn: referrerColumn)
    }

    /// Finds errors in the options before any row does. A missing token may still come from a row.
    private static func check(_ parts: PageParts, isQuiet: Bool) throws(ToolError) {
        guard parts.identifyAnApp else { return }
        var complete = parts
        for token in [PageParts.Part.pt, .ct] where parts[.pt] ?? parts[.ct] != nil {
            complete[token] = parts[token] ?? "1"
        }
        do {
            let page = try complete.storePage()
            if !isQuiet { parts.writeNote(on: page) }
        } catch {
            throw parts.usageError(error)
        }
    }

    /// Finds errors in the columns before any row does.
    private static func check(
        _ columns: Columns,
        of input: RowJob,
        _ links: LinkOptions,
        to output: RowFormat
    ) throws(ToolError) {
        guard columns.index(of: links.roles.referrer) != nil else {
            throw input.columnError(columns.missing(links.roles.referrer, input.format, isFixed: true))
        }
        if let index = columns.index(of: column) {
            let name = Columns.shown(columns.names[index])
            throw input.columnError("there is a column \(name) already; rename it, since the links need that name")
        }
        for name in columns.names {
            guard case .parameter(let parameter) = links.roles.role(of: name) else { continue }
            guard !parameter.isEmpty, !Referral.reservedParameterNames.contains(parameter) else {
                throw input.columnError("the column \(Columns.shown(name)) isn't the name of a possible parameter")
            }
            let isOnPage = links.target == .signedLandingPage || links.target == .store && output == .html
            guard !isOnPage || LinkElement.attribute(for: parameter) != nil else {
                let lowercase = parameter.prefix(1).lowercased() + parameter.dropFirst()
                let hint: Sentence =
                    LinkElement.attribute(for: lowercase) == nil ? "" : "; rename it to 'param.\(name: lowercase)'"
                throw input.columnError("the column \(Columns.shown(name)): \(LinkElement.nameForm)\(hint)")
            }
        }
        if links.landing == nil, !links.parts.identifyAnApp, columns.index(of: "page") == nil {
            throw .usage("which page? Give either --page ADDRESS or --app-id ID, or a column 'page'")
        }
    }
}
