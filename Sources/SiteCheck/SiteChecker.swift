package import ReferralBridge

/// Checks the pages of a site by all rules, and counts their contents.
package struct SiteChecker {
    package struct Finding: Equatable {
        package let file: String
        package let line: Int
        package let column: Int
        package let rule: String
        package let message: String
        /// Whether the finding may be intended, or is about a part that couldn't be checked.
        package let isNote: Bool
    }

    /// The counted parts of pages, with or without problems.
    package enum Count: String, CaseIterable {
        case pages, links, storeLinks, snippets, snippetsNotLookedInto, policies
        /// Policies with an answer that depends on a SHA-384 or SHA-512.
        case policiesNotLookedInto
        case banners
        case associations
    }

    /// The problems.
    package private(set) var findings: [Finding] = []
    package private(set) var notes: [Finding] = []
    package private(set) var counts: [Count: Int] = [:]
    private var pagesWithFindings = 0

    private let appID: AppID?
    private let version: String
    private let scripts = SiteScripts()
    private var landingPages: [CheckedSite.LandingPage] = []
    private var banners: [CheckedSite.Banner] = []
    private var siteFindings = 0

    /// Creates a checker.
    ///
    /// - Parameters:
    ///   - appID: The app of all links and banners, if known.
    ///   - version: The version of the snippet, for messages.
    package init(appID: AppID?, version: String) { (self.appID, self.version) = (appID, version) }

    /// Checks a page. Returns its problems and notes, in the order of the page.
    @discardableResult
    package mutating func check(_ file: SiteFiles.File) throws(SiteFailure) -> [Finding] {
        let bytes = try FileContent.text(of: file.path)
        let html = HTMLPage(bytes, isXML: file.path.asciiLowercased.hasSuffix(".xhtml"))
        guard html.hasTags else {
            throw SiteFailure(path: file.path, problem: "the file is not HTML: it contains no tag", kind: .notAPage)
        }
        // Findings at the same place keep the order of the rules.
        let problems = problems(on: html, in: file).sorted { $0.problem.offset < $1.problem.offset }
        counts[.pages, default: 0] += 1
        var positions = TextPositions(bytes)
        let found = problems.map { rule, problem in
            let (line, column) = positions.position(at: problem.offset)
            return Finding(
                file: file.path,
                line: line,
                column: column,
                rule: rule.name,
                message: problem.message,
                isNote: rule.isNote
            )
        }
        findings += found.filter { !$0.isNote }
        notes += found.filter(\.isNote)
        pagesWithFindings += found.allSatisfy(\.isNote) ? 0 : 1
        keep(html, of: file, bytes)
        return found
    }

    /// Keeps the parts of a page that rules for the site need.
    private mutating func keep(_ html: HTMLPage, of file: SiteFiles.File, _ bytes: [UInt8]) {
        guard let root = file.root else { return }
        var positions = TextPositions(bytes)
        banners += html.banners.map { banner in
            let items = BannerRules.items(banner.value)
            return CheckedSite.Banner(
                root: root,
                items: items,
                place: positions.place(at: banner.offset, in: file.path)
            )
        }
        let items = html.links.compactMap { link in
            link.element["data-referrer-from"].map { ($0, link.element["data-referrer"]?.value.isEmpty == false) }
        }
        guard let (item, hasReferrer) = items.first(where: { !$0.0.value.isEmpty }) else { return }
        positions = TextPositions(bytes)
        landingPages.append(
            CheckedSite.LandingPage(
                root: root,
                paths: CheckedSite.addressPaths(of: file.path, in: root),
                item: item.value,
                hasReferrer: hasReferrer,
                place: positions.place(at: item.offset, in: file.path)
            )
        )
    }

    /// Checks the folders as a whole, and the app's files, after all pages. Returns the problems and notes, and the files
    /// that can't be read.
    package mutating func checkSite(
        _ files: SiteFiles,
        _ app: AppFiles = AppFiles()
    ) -> (findings: [Finding], failures: [SiteFailure]) {
        var failures: [SiteFailure] = []
        let folders = files.folders.map { folder in
            var association: CheckedSite.Association?
            if let path = folder.association {
                counts[.associations, default: 0] += 1
                do throws(SiteFailure) {
                    association = CheckedSite.Association(
                        SiteDocument(path: path, bytes: try FileContent.text(of: path))
                    )
                } catch { failures.append(error) }
            }
            return CheckedSite.Folder(
                folder: folder,
                association: association,
                landingPages: landingPages.filter { $0.root == folder.path },
                banners: banners.filter { $0.root == folder.path }
            )
        }
        let site = CheckedSite(folders: folders, app: app)
        let found = Rule.all.flatMap { rule in
            rule.siteProblems(site).map { place, message in
                Finding(
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    rule: rule.name,
                    message: message,
                    isNote: rule.isNote
                )
            }
        }
        .sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
        findings += found.filter { !$0.isNote }
        notes += found.filter(\.isNote)
        siteFindings = found.count { !$0.isNote }
        return (found, failures)
    }

    /// The problems of a page and of the pages in its frames, which have the base and the policies of the page around them.
    private mutating func problems(
        on html: HTMLPage,
        in file: SiteFiles.File,
        resolver: ReferenceResolver? = nil,
        outerPolicies: [PolicyRules.Policy] = []
    ) -> [(rule: Rule, problem: Rule.Problem)] {
        let snippets = SnippetSearch(html, in: file, around: resolver, scripts)
        let policies = outerPolicies + PolicyRules.policies(of: html)
        let page = CheckedPage(
            page: html,
            snippets: snippets,
            policyAnswers: PolicyRules.answers(policies, snippets.found.first),
            appID: appID,
            version: version
        )
        count(page)
        var problems = Rule.all.flatMap { rule in rule.problems(page).map { (rule: rule, problem: $0) } }
        let framePolicies = policies.map { (offset: Int?.none, policy: $0.policy) }
        for frame in html.frames {
            for (rule, problem) in self.problems(
                on: frame.page,
                in: file,
                resolver: snippets.resolver,
                outerPolicies: framePolicies
            ) {
                problems.append((rule, (frame.outerOffset(problem.offset), problem.message)))
            }
        }
        return problems
    }

    private mutating func count(_ page: CheckedPage) {
        let new: [Count: Int] = [
            .links: page.referrerLinks.count,
            .storeLinks: page.page.links.count { !$0.hasReferrerAttribute && $0.storePage != nil },
            .snippets: page.snippets.found.count,
            .snippetsNotLookedInto: page.snippets.found.count { $0.state == .unread },
            .policies: page.page.policies.count,
            .policiesNotLookedInto: page.policyAnswers.count { $0.answer == .unknown },
            .banners: page.page.banners.count,
        ]
        counts.merge(new, uniquingKeysWith: +)
    }

    /// A line with the result.
    package var summary: String {
        let pages = text(.pages, "page", "pages")
        if !findings.isEmpty {
            let site = siteFindings > 0 ? ", \(siteFindings) of them in the site as a whole" : ""
            return
                "\(findings.count) \(findings.count == 1 ? "problem" : "problems") in \(pagesWithFindings) of \(pages)\(site)"
        }
        let (scripts, policies) = (counts[.snippetsNotLookedInto] ?? 0, counts[.policiesNotLookedInto] ?? 0)
        let parts =
            [
                text(.storeLinks, "other store link", "other store links"),
                text(.snippets, "snippet", "snippets") + (scripts > 0 ? " (\(scripts) not read)" : ""),
                text(.policies, "policy", "policies")
                    + (policies > 0 ? " (\(policies) with a SHA-384 or SHA-512 that was not checked)" : ""),
                text(.banners, "banner", "banners"),
            ] + (counts[.associations] == nil ? [] : [text(.associations, "association file", "association files")])
        // If no link was found, the summary must not sound as if links had been checked.
        let links =
            counts[.links, default: 0] == 0
            ? ", but no link with a referrer: "
            : ": " + text(.links, "link with a referrer, ", "links with a referrer, ")
        return "no problem in \(pages)\(links)" + parts.joined(separator: ", ")
    }

    private func text(_ count: Count, _ one: String, _ many: String) -> String {
        let number = counts[count] ?? 0
        return "\(number) \(number == 1 ? one : many)"
    }
}

/// A page, and the information that the rules need.
struct CheckedPage {
    let page: HTMLPage
    let snippets: SnippetSearch
    /// The answers of all policies about the page's first snippet.
    let policyAnswers: [PolicyRules.Answer]
    let appID: AppID?
    let version: String

    /// The elements with a referrer, links or not.
    var referrerLinks: [PageLink] { page.links.filter(\.hasReferrerAttribute) }
}
