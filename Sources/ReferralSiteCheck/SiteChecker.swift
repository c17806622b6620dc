/// Checks the pages of a site by all rules, and counts their contents.
package final class SiteChecker {
    package struct Finding: Equatable {
        package let place: SitePlace
        package let rule: String
        package let message: Sentence
        /// Whether the finding may be intended, or is about a part that couldn't be checked.
        package let isNote: Bool

        init(_ rule: Rule, _ problem: Rule.SiteProblem) {
            place = problem.place
            self.rule = rule.name
            message = problem.message
            isNote = problem.isNote
        }
    }

    /// The counted parts of pages, with or without problems.
    package enum Count: String, CaseIterable {
        case pages, links, storeLinks, snippets, snippetsNotLookedInto, policies, banners, associations
    }

    package private(set) var findings: [Finding] = []
    package private(set) var notes: [Finding] = []
    package private(set) var counts: [Count: Int] = [:]
    private var pagesWithFindings = 0
    private var siteFindings = 0

    private let appID: AppID?
    private let version: String
    private let scripts: SiteScripts
    private let site: CheckedSite

    /// Creates a checker of files and folders, for the app of all links and banners, if it is known, and a version of the
    /// snippet, which messages name.
    package init(_ site: SiteFiles, appID: AppID?, version: String) {
        self.site = CheckedSite(site)
        self.appID = appID
        self.version = version
        scripts = SiteScripts(site.boundary)
    }

    /// Checks a page. Returns its problems and notes, in the order of the page.
    ///
    /// An association file that was named itself is kept for ``checkSite(_:)``.
    @discardableResult
    package func check(_ file: SiteFiles.File) throws(SiteFailure) -> [Finding] {
        let content = try FileContent.bytes(of: file.path)
        if file.root == nil, SiteFolder.isAssociation(file.path) || AssociationFile.isObject(content) {
            site.associations.append(CheckedSite.Association(file.path, content))
            return []
        }
        let document = SiteDocument(path: file.path, bytes: try FileContent.text(content, of: file.path))
        let html = HTMLPage(document.bytes, isXML: file.path.asciiLowercased.hasSuffix(".xhtml"))
        let page = CheckedPage(html, SnippetSearch(html, in: file, scripts), appID: appID, version: version)
        count(page)
        // Findings at the same place keep the order of the rules.
        let problems = Rule.all.flatMap { rule in rule.problems(page).map { (rule: rule, problem: $0) } }
            .sorted { $0.problem.place < $1.problem.place }
        let found = zip(problems, document.placed(problems.map(\.problem))).map { Finding($0.rule, $1) }
        add(found)
        pagesWithFindings += found.allSatisfy(\.isNote) ? 0 : 1
        if let root = file.root { site.add(page, of: document, in: root) }
        return found
    }

    private func add(_ found: [Finding]) {
        findings += found.filter { !$0.isNote }
        notes += found.filter(\.isNote)
    }

    /// Checks the folders as a whole, and the app's files, after all pages. Returns the problems and notes, and the files
    /// that can't be read.
    package func checkSite(_ app: AppFiles = AppFiles()) -> (findings: [Finding], failures: [SiteFailure]) {
        site.app = app
        var failures: [SiteFailure] = []
        for folder in site.folders {
            guard let path = folder.association else { continue }
            do throws(SiteFailure) {
                site.associations.append(CheckedSite.Association(path, try FileContent.bytes(of: path), in: folder))
            } catch { failures.append(error) }
        }
        let associationCount = site.associations.count + failures.count
        if associationCount > 0 { counts[.associations] = associationCount }
        let found = Rule.all.flatMap { rule in rule.siteProblems(site).map { Finding(rule, $0) } }
            .sorted {
                ($0.place.file, $0.place.line, $0.place.column) < ($1.place.file, $1.place.line, $1.place.column)
            }
        add(found)
        siteFindings = found.count { !$0.isNote }
        return (found, failures)
    }

    private func count(_ page: CheckedPage) {
        let new: [Count: Int] = [
            .pages: page.page.hasTags ? 1 : 0,
            .links: page.referrerLinks.count,
            .storeLinks: page.links.count { !$0.hasReferrerAttribute && $0.storePage != nil },
            .snippets: page.snippets.found.count,
            .snippetsNotLookedInto: page.snippets.found.count { $0.state == .unread },
            .policies: page.page.policies.count,
            .banners: page.page.banners.count,
        ]
        counts.merge(new, uniquingKeysWith: +)
    }
}

// MARK: - Summary

extension SiteChecker {
    /// A line with the result.
    package var summary: String {
        let pages = text(.pages, "page")
        if !findings.isEmpty {
            let inPages = findings.count - siteFindings
            let problems = "\(findings.count) \(findings.count == 1 ? "problem" : "problems")"
            let (pages, files) = ("in \(pagesWithFindings) of \(pages)", "in the site's files")
            if inPages > 0, siteFindings > 0 { return "\(problems): \(inPages) \(pages), \(siteFindings) \(files)" }
            return "\(problems) \(inPages > 0 ? pages : files)"
        }
        let files = counts[.associations].map { _ in text(.associations, "association file") }
        guard counts[.pages] ?? 0 > 0 else { return "no problem in \(files ?? pages)" }
        let scripts = counts[.snippetsNotLookedInto] ?? 0
        let parts =
            [
                text(.storeLinks, "other store link"),
                text(.snippets, "snippet") + (scripts > 0 ? " (\(scripts) not read)" : ""),
                text(.policies, "policy").replacing("ys", with: "ies"), text(.banners, "banner"),
            ] + [files].compactMap(\.self)
        // If no link was found, the summary must not sound as if links had been checked.
        let links = ": " + text(.links, "link") + " with a referrer, "
        return "no problem in \(pages)" + (counts[.links] == 0 ? ", but no link with a referrer: " : links)
            + parts.joined(separator: ", ")
    }

    private func text(_ count: Count, _ name: String) -> String {
        "\(counts[count] ?? 0) \(name)" + (counts[count] == 1 ? "" : "s")
    }
}
