/// A rule for pages, or for the files of a site and of its app: its name, a line of the help, and a function that finds what
/// breaks it.
package struct Rule: Sendable {
    /// The place of a violation, and a message with the problem and the solution.
    struct Violation<Place> {
        let place: Place
        let message: Sentence
        /// Whether it may be intended, or couldn't be checked. A page that has only notes has no problem.
        let isNote: Bool

        init(_ place: Place, _ message: Sentence, isNote: Bool = false) {
            self.place = place
            self.message = message
            self.isNote = isNote
        }
    }

    /// A violation at an offset in a page.
    typealias Problem = Violation<Int>

    /// A violation in one of the site's files.
    typealias SiteProblem = Violation<SitePlace>

    package let name: String
    /// What the rule finds, for the help.
    package let summary: String
    let problems: @Sendable (CheckedPage) -> [Problem]
    let siteProblems: @Sendable (CheckedSite) -> [SiteProblem]

    init(
        _ name: String,
        _ summary: String,
        page problems: @escaping @Sendable (CheckedPage) -> [Problem] = { _ in [] },
        site siteProblems: @escaping @Sendable (CheckedSite) -> [SiteProblem] = { _ in [] }
    ) {
        self.name = name
        self.summary = summary
        self.problems = problems
        self.siteProblems = siteProblems
    }

    /// A rule for each element with a referrer, link or not.
    init(
        _ name: String,
        _ summary: String,
        referrer problem: @escaping @Sendable (PageLink, CheckedPage) -> Problem?
    ) {
        self.init(name, summary, page: { page in page.referrerLinks.compactMap { problem($0, page) } })
    }

    /// A rule for the address of each link to an app's page in the App Store, with and without a referrer.
    init(
        _ name: String,
        _ summary: String,
        store problem: @escaping @Sendable (HTMLElement.Attribute, StorePage, CheckedPage) -> Problem?
    ) {
        self.init(
            name,
            summary,
            page: { page in
                page.links.compactMap { link in
                    guard let address = link.address, let store = link.storePage else { return nil }
                    return problem(address, store, page)
                }
            }
        )
    }

    /// A rule for the files of a site and of its app.
    static func forSite(
        _ name: String,
        _ summary: String,
        _ problems: @escaping @Sendable (CheckedSite) -> [SiteProblem]
    ) -> Rule {
        Rule(name, summary, site: problems)
    }

    /// All rules. Findings at the same place keep this order.
    package static let all =
        links + attributes + [placeholder] + values + tokens + parameters + snippets + banners + unchecked
        + associations + components + app

    /// Parts that were not checked.
    private static let unchecked = [
        Rule("scripted-links", "a note: no link with a referrer on a page whose scripts may add one") { page in
            // A misspelled referrer is a separate problem, and so is markup that hides the links.
            let hasLinks =
                page.page.unclosed != nil || !page.referrerLinks.isEmpty
                || page.links.contains { !$0.misspellings.isEmpty }
            let mayAddLinks =
                !page.snippets.found.isEmpty || page.snippets.namesReferrers || !page.page.hasLinks
            guard !hasLinks, mayAddLinks,
                let script = page.snippets.found.first?.element ?? page.page.scripts.first?.element
            else { return [] }
            let message: Sentence =
                "this page has no link with a referrer; if a script adds one, it was not checked, "
                + "since pages are read without what scripts add"
            return [Problem(script.offset, message, isNote: true)]
        },
        Rule("missing-part", "a note: a script whose file can't be read, at its first place") { page in
            page.snippets.missingParts.compactMap { element, problem in
                guard page.placeholder(inAddressOf: element) == nil else { return nil }
                let address = element["src"]?.value.trimmed ?? ""
                let message: Sentence =
                    "\(quoted: address) was not checked: \(problem); correct the address, or add the file"
                return Problem(element.offset, message, isNote: true)
            }
        },
        Rule("unread-frame", "a note: a frame whose srcdoc has a referrer") { page in
            let message: Sentence =
                "the page in the srcdoc of this frame was not checked; write it to a file of its own, and check that"
            return page.page.unreadFrame.map { [Problem($0, message, isNote: true)] } ?? []
        },
        forSite("outside-link", "a note: a link in the file system that leads out of the folder") { site in
            site.linksOutside.map { path in
                let message: Sentence =
                    "this links to something outside of the site's folder, so it was not checked; name that, too"
                return SiteProblem(SitePlace(file: path, line: 1, column: 1), message, isNote: true)
            }
        },
    ]
}
