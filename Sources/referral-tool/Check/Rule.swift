/// Something that will not work: a name, and a function that finds where.
struct Rule: Sendable {
    /// Something that a rule found in a page.
    struct Problem {
        /// Where it begins, in bytes.
        let offset: Int
        /// What is wrong and what would be right.
        let message: String
    }

    let name: String
    /// What it finds, for the help.
    let summary: String
    let problems: @Sendable (CheckedPage) -> [Problem]

    init(_ name: String, _ summary: String, _ problems: @escaping @Sendable (CheckedPage) -> [Problem]) {
        (self.name, self.summary, self.problems) = (name, summary, problems)
    }

    static let all = [
        Rule("no-link", "a referrer on something that is no link", LinkRules.noLink),
        Rule("no-address", "a referrer on a link without an href", LinkRules.noAddress),
        Rule("no-store-page", "a referrer on a link to no App Store page", LinkRules.noStorePage),
        Rule("other-app", "a referrer on a link to another app than --app-id", LinkRules.otherApp),
        Rule("no-referrer", "a referrer that is empty", LinkRules.noReferrer),
        Rule("stale-link", "a link with an ed in it already: one that was copied", LinkRules.staleLink),
        Rule("lone-token", "a ct without a pt, or a pt without a ct", LinkRules.loneToken),
        Rule("long-token", "a ct of more than 40 bytes", LinkRules.longToken),
        Rule("reserved-parameter", "a parameter called timestamp or referrer", ParameterRules.reserved),
        Rule("parameter-name", "an attribute that makes no parameter", ParameterRules.name),
        Rule("lost-parameter", "a parameter on a link without a referrer", ParameterRules.lost),
        Rule("no-snippet", "links with a referrer on a page without the snippet", SnippetRules.missing),
        Rule("second-snippet", "the snippet a second time", SnippetRules.second),
        Rule("other-snippet", "a snippet of another version, or a changed one", SnippetRules.other),
        Rule("policy", "a Content-Security-Policy that blocks the snippet", PolicyRules.blocking),
        Rule("unclosed", "a comment, tag or script that nothing closes", PageRules.unclosed),
        Rule("banner", "a Smart App Banner of no app or of another one", BannerRules.otherApp),
    ]
}
