/// A page, and the information that the rules need.
final class CheckedPage {
    /// The maximum number of policies that are checked. A page has one or two.
    private static let maximumPolicies = 16

    let page: HTMLPage
    let snippets: SnippetSearch
    /// The answers of the page's policies about its first snippet. A second one changes nothing.
    let policyAnswers: [PolicyAnswer]
    let appID: AppID?
    let version: String

    /// The links to the store, and the elements with an attribute of the snippet.
    ///
    /// Other scripts have attributes such as `data-referrer`, too. On a page without the snippet and without a link to
    /// the store that has a referrer, such attributes don't count.
    let links: [PageLink]

    /// The elements with a referrer, links or not.
    let referrerLinks: [PageLink]

    /// The addresses to which a tap adds a ct.
    let addressesWithTokenFromReferrer: Set<String>

    /// The placeholder in the page's base address.
    let basePlaceholder: String?

    /// The first such attribute that doesn't count.
    let foreignAttribute: HTMLElement.Attribute?

    init(_ page: HTMLPage, _ snippets: SnippetSearch, appID: AppID?, version: String) {
        self.page = page
        self.snippets = snippets
        self.appID = appID
        self.version = version
        policyAnswers =
            snippets.found.first.map { snippet in
                page.policies.prefix(Self.maximumPolicies).compactMap { PolicyAnswer($0, about: snippet) }
            } ?? []
        basePlaceholder = page.base.flatMap(Placeholder.first)
        let isOurs =
            !snippets.found.isEmpty || !snippets.inert.isEmpty || page.links.contains(where: \.isStoreLinkWithReferrer)
        links = isOurs ? page.links : page.links.compactMap(\.withoutAttributes)
        referrerLinks = links.filter(\.hasReferrerAttribute)
        addressesWithTokenFromReferrer = Set(
            links.filter { $0.element["data-referrer-ct"] != nil }.compactMap(\.element.address?.value)
        )
        foreignAttribute =
            isOurs ? nil : page.links.lazy.flatMap(\.element.attributes).first { $0.name.hasPrefix("data-referr") }
    }

    /// The parameters of the elements with a referrer.
    var parameters: [HTMLElement.Attribute] { referrerLinks.flatMap(\.parameters) }

    var referrerElements: [HTMLElement] { referrerLinks.map(\.element) }

    /// The links to apps' pages in the App Store, with and without a referrer.
    var storeLinks: [PageLink] { links.filter { $0.storePage != nil } }

    /// The apps of the links with a referrer.
    var linkedApps: [AppID] { referrerLinks.compactMap(\.storePage?.appID) }

    /// The attributes of a name of the elements with a referrer.
    subscript(name: String) -> [HTMLElement.Attribute] { referrerElements.compactMap { $0[name] } }
}
