/// A rule for pages, or for the files of a site and of its app: its name, a line of the help, and a function that finds what
/// breaks it.
package final class Rule: Sendable {
    /// The place of a violation, and a message with the problem and the solution.
    struct Violation<Place> {
        let place: Place
        let message: Sentence
        /// Whether it may be intended, or couldn't be checked. A page that has only notes has no problem.
        let isNote: Bool

        init(_ place: Place, _ message: Sentence, isNote: Bool = false) {
            (self.place, self.message, self.isNote) = (place, message, isNote)
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
        (self.name, self.summary) = (name, summary)
        (self.problems, self.siteProblems) = (problems, siteProblems)
    }

    /// A rule for each of some parts of a page, with the message about a part that breaks it.
    convenience init<Part: PagePart>(
        _ name: String,
        _ summary: String,
        isNote: Bool = false,
        _ parts: @escaping @Sendable (CheckedPage) -> [Part],
        message: @escaping @Sendable (Part, CheckedPage) -> Sentence?
    ) {
        self.init(name, summary) { page in
            parts(page).compactMap { part in message(part, page).map { Problem(part.offset, $0, isNote: isNote) } }
        }
    }

    /// A rule for the files of a site and of its app.
    static func forSite(
        _ name: String,
        _ summary: String,
        _ problems: @escaping @Sendable (CheckedSite) -> [SiteProblem]
    ) -> Rule {
        Rule(name, summary, site: problems)
    }

    /// A rule for each association file whose members have the forms that systems expect.
    static func forAssociation(
        _ name: String,
        _ summary: String,
        _ problems: @escaping @Sendable (CheckedSite.Association, CheckedSite) -> [Problem]
    ) -> Rule {
        forSite(name, summary) { site in
            site.associations.filter(\.isWellFormed).flatMap { $0.document.placed(problems($0, site)) }
        }
    }

    /// All rules. Findings at the same place keep this order.
    package static let all: [Rule] = Array(lists.joined())

    private static let lists: [[Rule]] = [
        links, attributes, [placeholder], values, tokens, parameters, snippets, banners, unchecked, associations,
        components, app,
    ]

    /// Parts that were not checked.
    @RuleList private static var unchecked: [Rule] {
        Rule("scripted-links", "a note: no link with a referrer on a page whose scripts may add one") { page in
            // A misspelled referrer is a separate problem, and so is markup that hides the links.
            let hasLinks =
                page.page.unclosed != nil || !page.referrerLinks.isEmpty
                || page.links.contains { !$0.misspellings.isEmpty }
            let mayAddLinks = !page.snippets.found.isEmpty || page.snippets.namesReferrers || !page.page.hasLinks
            guard !hasLinks, mayAddLinks,
                let script = page.snippets.found.first?.element ?? page.page.scripts.first?.element
            else { return [] }
            let message: Sentence =
                "this page has no link with a referrer; if a script adds one, it was not checked, "
                + "since pages are read without what scripts add"
            return [Problem(script.offset, message, isNote: true)]
        }
        Rule("missing-part", "a note: a script whose file can't be read, at its first place") { page in
            page.snippets.missingParts.filter { page.placeholder(inAddressOf: $0.element) == nil }.map {
                element,
                problem in
                let address = element["src"]?.value.trimmed ?? ""
                let message: Sentence =
                    "\(quoted: address) was not checked: \(problem); correct the address, or add the file"
                return Problem(element.offset, message, isNote: true)
            }
        }
        forSite("outside-link", "a note: a link in the file system that leads out of the folder") { site in
            let message: Sentence =
                "this links to something outside of the site's folder, so it was not checked; name that, too"
            return site.linksOutside.map { SiteProblem(SitePlace(file: $0, line: 1, column: 1), message, isNote: true) }
        }
    }
}

/// Lists rules without commas, in a getter: the initial value of a constant is checked by every compilation that names it.
@resultBuilder enum RuleList { static func buildBlock(_ rules: Rule...) -> [Rule] { rules } }

/// A part of a page that a rule is about.
protocol PagePart: SendableMetatype {
    /// The place of a violation.
    var offset: Int { get }
}

extension HTMLElement: PagePart {}
extension PageLink: PagePart {}
extension HTMLElement.Attribute: PagePart {}
