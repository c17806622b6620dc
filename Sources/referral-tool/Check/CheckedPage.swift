import ReferralBridge

/// A page with what the rules need to know of it.
struct CheckedPage {
    let page: HTMLPage
    let snippets: SnippetSearch
    /// What each policy says of the page's first snippet.
    let policyAnswers: [PolicyRules.Answer]
    let appID: AppID?

    init(_ bytes: [UInt8], of file: SiteFiles.File, appID: AppID?, scripts: SiteScripts) throws(ToolError) {
        page = HTMLPage(bytes, isXML: file.path.asciiLowercased.hasSuffix(".xhtml"))
        guard page.hasTags else { throw .badData("it is no HTML: there is no tag in it") }
        snippets = SnippetSearch(page, in: file, scripts)
        policyAnswers = PolicyRules.answers(page, snippets.found.first)
        self.appID = appID
    }

    /// What names a referrer, link or not.
    var ours: [PageLink] { page.links.filter(\.isOurs) }
}
