/// What came of looking at pages.
struct CheckReport {
    struct Finding {
        let file: String
        let line: Int
        let column: Int
        let rule: String
        let message: String

        var text: String { "\(TerminalText.escaped(file)):\(line):\(column): \(TerminalText.escaped(message))\n" }
    }

    /// What there was, right or wrong.
    struct Counts {
        var pages = 0
        var links = 0
        var storeLinks = 0
        var snippets = 0
        var snippetsNotLookedInto = 0
        var policies = 0
        /// Those whose verdict hangs on a SHA-384 or SHA-512.
        var policiesNotLookedInto = 0
        var banners = 0
    }

    private(set) var findings: [Finding] = []
    private(set) var counts = Counts()
    private(set) var failures: [SiteFiles.Failure] = []
    private var wrongPages = 0

    /// The status of whatever is worst: a page that was not looked at counts for more than what was found in others.
    var status: ExitStatus {
        let worst = failures.map(\.status.rawValue).max().flatMap(ExitStatus.init)
        return worst ?? (findings.isEmpty ? .done : .somethingFound)
    }

    mutating func add(_ failure: SiteFiles.Failure) { failures.append(failure) }

    /// Takes what the rules find in a page, in the page's order.
    mutating func add(_ page: CheckedPage, _ bytes: [UInt8], of path: String) {
        let problems = Rule.all.enumerated()
            .flatMap { order, rule in rule.problems(page).map { (order, rule.name, $0) } }
            .sorted { ($0.2.offset, $0.0) < ($1.2.offset, $1.0) }
        var places = Places(bytes)
        for (_, rule, problem) in problems {
            let (line, column) = places.place(of: problem.offset)
            findings.append(Finding(file: path, line: line, column: column, rule: rule, message: problem.message))
        }
        wrongPages += problems.isEmpty ? 0 : 1
        counts.pages += 1
        counts.links += page.ours.count
        counts.storeLinks += page.page.links.count { !$0.isOurs && $0.isToStore }
        counts.snippets += page.snippets.found.count
        counts.snippetsNotLookedInto += page.snippets.found.count { $0.state == .notLookedInto }
        counts.policies += page.page.policies.count
        counts.policiesNotLookedInto += PolicyRules.notLookedIntoCount(page)
        counts.banners += page.page.banners.count
    }

    /// One line on what there was.
    var summary: String {
        let parts = [
            Self.count(counts.links, "link with a referrer", "links with a referrer"),
            Self.count(counts.storeLinks, "other store link", "other store links"),
            Self.count(counts.snippets, "snippet", "snippets")
                + (counts.snippetsNotLookedInto > 0 ? " (\(counts.snippetsNotLookedInto) not looked into)" : ""),
            Self.count(counts.policies, "policy", "policies")
                + (counts.policiesNotLookedInto > 0
                    ? " (\(counts.policiesNotLookedInto) with a SHA-384 or SHA-512 that was not looked into)" : ""),
            Self.count(counts.banners, "banner", "banners"),
        ]
        let pages = Self.count(counts.pages, "page", "pages")
        guard !findings.isEmpty else { return "nothing wrong in \(pages): " + parts.joined(separator: ", ") }
        return Self.count(findings.count, "problem", "problems") + " in \(wrongPages) of \(pages)"
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    var json: String {
        JSONText.object([
            ("findings", JSONText.array(findings.map(Self.json))),
            ("notLookedAt", JSONText.array(failures.map(Self.json))),
            (
                "counts",
                JSONText.object([
                    ("pages", String(counts.pages)), ("links", String(counts.links)),
                    ("storeLinks", String(counts.storeLinks)), ("snippets", String(counts.snippets)),
                    ("snippetsNotLookedInto", String(counts.snippetsNotLookedInto)),
                    ("policies", String(counts.policies)),
                    ("policiesNotLookedInto", String(counts.policiesNotLookedInto)),
                    ("banners", String(counts.banners)),
                ])
            ),
        ])
    }

    private static func json(_ finding: Finding) -> String {
        JSONText.object([
            ("file", JSONText.string(finding.file)), ("line", String(finding.line)), ("column", String(finding.column)),
            ("rule", JSONText.string(finding.rule)), ("message", JSONText.string(finding.message)),
        ])
    }

    private static func json(_ failure: SiteFiles.Failure) -> String {
        JSONText.object([("file", JSONText.string(failure.path)), ("message", JSONText.string(failure.problem))])
    }
}
