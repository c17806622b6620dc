import ReferralSiteCheck

/// `referral-tool check`: prints the problems of a site's pages. The checks are in the target `ReferralSiteCheck`.
enum CheckCommand: Command {
    private static let appID = Option.appID("the app of links with a referrer and of banners")
    private static let info = Option("--info-plist", "FILE", "the app's Info.plist, XML or binary")
    private static let entitlements = Option("--entitlements", "FILE", "the app's entitlements, XML or binary")
    private static let json = Flag("--json", "prints a JSON object: findings, notes, notLookedAt, counts")

    static let name = "check"
    static let summary = "finds what doesn't work on a site's pages, and between the site and the app"
    static let overview = """
        Reads a site's pages and its apple-app-site-association file, and prints what doesn't work in them, in lines
        FILE:LINE:COLUMN: MESSAGE.
        """
    static let usages: [[Usage]] = [
        [
            .operand(
                "FILE|FOLDER|-...",
                help: (
                    "FILE|FOLDER",
                    """
                    a page of HTML in UTF-8, or an association file; - is standard input, which may be either. A folder has \
                    pages that end in .html, .htm or .xhtml, and is also the root of addresses that begin with a slash; \
                    folders called node_modules and names that begin with a dot are left out
                    """
                )
            )
        ] + Usage.optional(appID, info, entitlements, json)
    ]

    static var notes: String {
        """
        Lines and columns count from 1, and columns are characters (Unicode code points). A page is read from its file,
        without the additions of scripts and servers. Frames are not read, and scripts from other hosts are not fetched; a
        script that is called referral-bridge.js or referral-bridge.min.js counts as the snippet.

        In each FOLDER, the association file is .well-known/apple-app-site-association, or apple-app-site-association beside
        the pages. A landing page is a page with data-referrer-from. A page get.html has the addresses /get.html and /get, and
        one of them is enough. The addresses are matched by Apple's rules.

        The rules, as --json names them:

        \(HelpText.table(Rule.all.map { ($0.name, $0.summary) }))

        A note, which is printed as such, is about something that may be intended or can't be checked. The exit status is 1 if
        there are other problems, and 65 or 66 if a page can't be read, or if there is no page. The other pages are still
        checked.
        """
    }

    static let example = "referral-tool check public --app-id 1300230302"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let appID = try arguments.value(of: appID)
        guard !arguments.operands.isEmpty else { throw .usage("which pages? Name files, or folders with pages") }
        let site = SiteFiles(arguments.operands)
        let checker = SiteChecker(site, appID: appID, version: ReferralTool.version)
        var failures: [SiteFailure] = []
        func fail(_ failure: SiteFailure) {
            failures.append(failure)
            // If the message can't be written, the exit status still reports it.
            ByteStream.note("\(whole: failure.path): \(failure.problem)")
        }
        func attempt<Value>(_ read: () throws(SiteFailure) -> Value) -> Value? {
            do { return try read() } catch {
                fail(error)
                return nil
            }
        }
        let isJSON = arguments.contains(json)
        func printLines(_ findings: [SiteChecker.Finding]) throws(ToolError) {
            if !isJSON { try ByteStream.output.write(findings.map(line).joined()) }
        }
        site.failures.forEach(fail)
        let app = attempt { () throws(SiteFailure) in
            try AppFiles(info: arguments.text(of: info), entitlements: arguments.text(of: entitlements))
        }
        for file in site.files {
            try printLines(attempt { () throws(SiteFailure) in try checker.check(file) } ?? [])
        }
        let (findings, unread) = checker.checkSite(app ?? AppFiles())
        unread.forEach(fail)
        try printLines(findings)

        let hasPages = checker.counts[.pages, default: 0] > 0 || checker.counts[.associations] != nil
        if failures.isEmpty, !hasPages, let path = site.files.first?.path {
            fail(SiteFailure(path: path, problem: "there is no page to check", kind: .notAPage))
        }
        let worst = failures.map(status).max { $0.rawValue < $1.rawValue }
        let status = worst ?? (checker.findings.isEmpty ? .done : .problemsFound)
        if isJSON {
            try ByteStream.output.write(json(checker, failures) + "\n")
        } else if status == .done {
            try ByteStream.output.write(checker.summary + "\n")
        } else if hasPages {
            ByteStream.note("\(whole: checker.summary)")
        }
        return status
    }
}

private extension CheckCommand {
    static func line(_ finding: SiteChecker.Finding) -> String {
        "\(finding.place.file.shown(upTo: .max)):\(finding.place.line):\(finding.place.column): "
            + (finding.isNote ? "note: " : "") + finding.message.text + "\n"
    }

    static func status(_ failure: SiteFailure) -> ExitStatus {
        switch failure.kind {
        case .missing: .noInput
        case .notAPage: .badData
        case .unreadable: .inputOutput
        }
    }

    static func json(_ finding: SiteChecker.Finding) -> String {
        JSONText.object([
            ("file", JSONText.string(finding.place.file)), ("line", String(finding.place.line)),
            ("column", String(finding.place.column)), ("rule", JSONText.string(finding.rule)),
            ("message", JSONText.string(finding.message.text)),
        ])
    }

    static func json(_ checker: SiteChecker, _ failures: [SiteFailure]) -> String {
        let failed = failures.map { (file: JSONText.string($0.path), message: JSONText.string($0.problem.text)) }
            .map { JSONText.object([("file", $0.file), ("message", $0.message)]) }
        let counts = SiteChecker.Count.allCases.map { ($0.rawValue, String(checker.counts[$0] ?? 0)) }
        return JSONText.object([
            ("findings", JSONWriter.array(checker.findings.map(json))),
            ("notes", JSONWriter.array(checker.notes.map(json))), ("notLookedAt", JSONWriter.array(failed)),
            ("counts", JSONText.object(counts)),
        ])
    }
}
