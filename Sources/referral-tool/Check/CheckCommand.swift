import ReferralBridge

/// `referral-tool check`: a site's pages in, what will not work in them out.
enum CheckCommand: Command {
    static let name = "check"

    static let help = """
        Reads a site's pages and says what will not work in them, one line each: FILE:LINE:COLUMN: MESSAGE.

        usage: referral-tool check FILE|FOLDER... [--app-id ID] [--json]

          FILE         a page in HTML, in UTF-8
          FOLDER       all pages below it that end in .html, .htm or .xhtml, but none in node_modules or in what begins
                       with a dot; it is also where addresses begin that have a / in front
          --app-id ID  the app that links with a referrer and banners are to lead to
          --json       one object on standard output: findings, notLookedAt, counts

        Lines and columns count from 1, columns in characters (Unicode code points). The page is read as it lies there: what a
        script or a server puts into it is not seen. A script from another host is not fetched; one that is called
        referral-bridge.js or referral-bridge.min.js is taken for the snippet.

        The rules, as --json names them:

        \(rules)

        The exit status is 1 where anything was found, and 65 or 66 where a page could not be looked at; the others are.

        example: referral-tool check public --app-id 1300230302

        """

    static let options: [Option] = [.value("--app-id"), .flag("--json")]

    private static var rules: String {
        let width = Rule.all.map(\.name.utf8.count).max() ?? 0
        return Rule.all.map { rule in
            "  " + rule.name + String(repeating: " ", count: width - rule.name.utf8.count + 2) + rule.summary
        }
        .joined(separator: "\n")
    }

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        let appID = try arguments.read("--app-id", "an app id is 1 to 19 digits", AppID.init)
        guard !arguments.strings.isEmpty else { throw .usage("which pages? Name files, or folders that hold some") }
        let site = SiteFiles(arguments.strings)
        var report = CheckReport()
        for failure in site.failures { try tell(failure, &report) }

        let scripts = SiteScripts()
        for file in site.files {
            let known = report.findings.count
            do throws(ToolError) {
                let bytes = try FileContent.text(of: file.path)
                report.add(try CheckedPage(bytes, of: file, appID: appID, scripts: scripts), bytes, of: file.path)
            } catch {
                try tell(
                    SiteFiles.Failure(path: file.path, problem: error.message ?? "", status: error.status),
                    &report
                )
            }
            if !arguments.contains("--json") {
                let lines = report.findings[known...].map(\.text).joined()
                if !lines.isEmpty { try ByteStream.output.write(lines) }
            }
        }

        if arguments.contains("--json") {
            try ByteStream.output.write(report.json + "\n")
        } else if report.status == .done {
            try ByteStream.output.write(report.summary + "\n")
        } else {
            try? ByteStream.error.write("referral-tool: \(report.summary)\n")
        }
        return report.status
    }

    private static func tell(_ failure: SiteFiles.Failure, _ report: inout CheckReport) throws(ToolError) {
        report.add(failure)
        // Whether anybody reads it or not, the status says it too.
        let line = "\(failure.path): \(failure.problem)"
        try? ByteStream.error.write("referral-tool: \(TerminalText.escaped(line))\n")
    }
}
