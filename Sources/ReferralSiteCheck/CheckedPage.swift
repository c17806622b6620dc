/// A page, and the information that the rules need.
struct CheckedPage {
    let page: HTMLPage
    let snippets: SnippetSearch
    /// The policies of the page, and of the pages around its frame.
    let policies: [PolicyRules.Policy]
    /// The answers of all policies about the page's first snippet.
    let policyAnswers: [PolicyRules.Answer]
    let appID: AppID?
    let version: String

    /// The links to the store, and the elements with an attribute of the snippet.
    ///
    /// Other scripts have attributes such as `data-referrer`, too. On a page without the snippet and without a link to
    /// the store that has a referrer, such attributes don't count.
    let links: [PageLink]

    /// The placeholder in the page's base address.
    let basePlaceholder: String?

    /// The first such attribute that doesn't count.
    let foreignAttribute: HTMLElement.Attribute?

    init(
        page: HTMLPage,
        snippets: SnippetSearch,
        policies: [PolicyRules.Policy],
        appID: AppID?,
        version: String
    ) {
        self.page = page
        self.snippets = snippets
        self.policies = policies
        self.appID = appID
        self.version = version
        basePlaceholder = page.base.flatMap(Placeholder.first)
        policyAnswers = PolicyRules.answers(policies, snippets.found.first)
        let isOurs =
            !snippets.found.isEmpty || !snippets.inert.isEmpty || page.links.contains(where: \.isStoreLinkWithReferrer)
        links = isOurs ? page.links : page.links.compactMap(\.withoutAttributes)
        foreignAttribute =
            isOurs ? nil : page.links.lazy.flatMap(\.element.attributes).first { $0.name.hasPrefix("data-referr") }
    }

    /// The elements with a referrer, links or not.
    var referrerLinks: [PageLink] { links.filter(\.hasReferrerAttribute) }
}
