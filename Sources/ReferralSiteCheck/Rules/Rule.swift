/// A rule for pages, or for the files of a site and of its app: its name, and a function that finds the violations.
package struct Rule: Sendable {
    /// The place of a violation, and a message with the problem and the solution.
    typealias Problem = (offset: Int, message: Sentence)

    /// The place of a violation in one of the site's files, and a message.
    typealias SiteProblem = (place: SitePlace, message: Sentence)

    typealias PageRule = @Sendable (CheckedPage) -> [Problem]
    typealias SiteRule = @Sendable (CheckedSite) -> [SiteProblem]

    package let name: String
    /// What the rule finds, for the help.
    package let summary: String
    /// What doesn't work on a page.
    let problems: PageRule
    /// What may be intended, or couldn't be checked. A page that has only notes has no problem.
    let notes: PageRule
    /// The same for the files of a site and its app.
    let siteProblems: SiteRule
    let siteNotes: SiteRule

    private init(
        _ name: String,
        _ summary: String,
        _ problems: @escaping PageRule = { _ in [] },
        notes: @escaping PageRule = { _ in [] },
        site siteProblems: @escaping SiteRule = { _ in [] },
        siteNotes: @escaping SiteRule = { _ in [] }
    ) {
        self.name = name
        self.summary = summary
        self.problems = problems
        self.notes = notes
        self.siteProblems = siteProblems
        self.siteNotes = siteNotes
    }

    package static let all = [
        Rule("no-page", "a note: a file without a tag, such as a search engine's verification file", notes: noPage),
        Rule("no-link", "a referrer on an element that is not a link", LinkRules.notALink),
        Rule("no-address", "a referrer on a link without an href", LinkRules.missingAddress),
        Rule(
            "no-store-page",
            "a referrer on a link to something other than an app's page in the App Store, or such a page without https://",
            LinkRules.notAStorePage
        ),
        Rule("store-scheme", "a link to the store that begins with itms: or itmss:", LinkRules.scheme),
        Rule("other-app", "a referrer on a link to an app other than --app-id", LinkRules.otherApp),
        Rule("no-referrer", "an empty referrer", LinkRules.emptyReferrer),
        Rule(
            "other-attributes",
            "a note: attributes such as data-referrer that are probably another script's: no snippet, and no link to the store",
            notes: AttributeRules.foreign
        ),
        Rule(
            "misspelled",
            "an attribute such as data-referer, which the snippet doesn't know",
            AttributeRules.misspelled
        ),
        Rule(
            "repeated",
            "a second href, or a second referrer or parameter with the same name, which doesn't count",
            AttributeRules.repeated
        ),
        Rule(
            "placeholder",
            "a placeholder or a sample, such as {{ campaign }}, YOUR_CAMPAIGN, TEAMID or id123456789, or a script's undefined",
            PlaceholderRules.problems,
            notes: PlaceholderRules.notes,
            site: PlaceholderRules.apps
        ),
        Rule("white-space", "white space around a referrer or a parameter", AttributeRules.whiteSpace),
        Rule("curly-quotes", "curly quotation marks around a value, which belong to it", AttributeRules.curlyQuotes),
        Rule("referrer-from", "a data-referrer-from that is not the name of an item", AttributeRules.queryName),
        Rule("referral-on", "a data-referral-on other than all", AttributeRules.everywhere),
        Rule("stale-link", "a link that already has an ed, because somebody copied it", LinkRules.staleLink),
        Rule("lone-token", "a ct without a pt, or a pt without a ct", LinkRules.loneToken),
        Rule("referrer-ct", "a data-referrer-ct on a link without a pt", LinkRules.uncountedReferrer),
        Rule(
            "one-token",
            "a note: a landing page's link with a pt and one ct for all referrers",
            notes: LinkRules.oneToken
        ),
        Rule("long-token", "a ct of more than 40 bytes", LinkRules.longToken),
        Rule("reserved-parameter", "a parameter called timestamp or referrer", ParameterRules.reservedName),
        Rule("parameter-name", "an attribute that makes no parameter", ParameterRules.invalidName),
        Rule(
            "capitals",
            "a capital letter in a parameter's name, which HTML reads in lowercase",
            AttributeRules.capitals
        ),
        Rule("lost-parameter", "a parameter on a link without a referrer", ParameterRules.withoutReferrer),
        Rule("signature", "a malformed signature or until, or no referrer for them", ParameterRules.signature),
        Rule("no-snippet", "links with a referrer on a page without the snippet", SnippetRules.missing),
        Rule(
            "missing-file",
            "a snippet whose file does not exist, can't be read or is something else",
            SnippetRules.unreadable
        ),
        Rule("inert-snippet", "a snippet of a type that no browser runs, such as text/plain", SnippetRules.inert),
        Rule("second-snippet", "a note: a second snippet, which does nothing", notes: SnippetRules.second),
        Rule("other-snippet", "a note: a snippet that lacks parts of this version's", notes: SnippetRules.otherVersion),
        Rule(
            "policy",
            "a Content-Security-Policy that blocks the snippet; a note if that depends on the site's host or the browser",
            PolicyRules.blocking,
            notes: PolicyRules.unclear
        ),
        Rule("unclosed", "a comment, tag or script that is never closed", unclosed),
        Rule(
            "sandbox",
            "a frame with links with a referrer whose sandbox doesn't allow scripts, or doesn't let the links open",
            SnippetRules.sandboxed
        ),
        Rule("banner", "a Smart App Banner without an app, or for another app", BannerRules.otherApp),
        Rule(
            "second-banner",
            "a second Smart App Banner, since Safari shows one; a note if it is the same",
            BannerRules.second,
            notes: BannerRules.repeated
        ),
        Rule(
            "banner-beside",
            "a note: a Smart App Banner beside links with a referrer, which it bypasses",
            notes: BannerRules.beside
        ),
        Rule(
            "scripted-links",
            "a note: no link with a referrer on a page whose scripts may add one",
            notes: LinkRules.scripted
        ),
        Rule(
            "apple-scheme",
            "a note: a link to the store that begins with itms-apps:, which only Apple's devices know",
            notes: LinkRules.appleScheme
        ),
        Rule(
            "missing-part",
            "a note: a frame or a script whose file does not exist or can't be read, at its first place",
            notes: SnippetRules.missingParts
        ),
        Rule("unread-frame", "a note: a frame nested deeper than 3, or after the 64th", notes: unreadFrame),
        Rule(
            "no-association",
            "no apple-app-site-association in the folder, although the app's entitlements, an App Clip or a product page need it",
            site: AssociationRules.missing
        ),
        Rule("association-name", "an apple-app-site-association with an extension", site: AssociationRules.named),
        Rule(
            "association-place",
            "a note: an association file in public or static, and what is in it",
            siteNotes: AssociationRules.copied
        ),
        Rule("association-json", "an association file that is not a JSON object", site: AssociationRules.notJSON),
        Rule("association-size", "an association file of more than 128 KiB", site: AssociationRules.tooLarge),
        Rule(
            "association-form",
            "a member of an association file with another form or name than the system's; a note if it changes nothing",
            site: AssociationForm.problems,
            siteNotes: AssociationForm.notes
        ),
        Rule(
            "association-app",
            "an association file for another team or bundle than the app's",
            site: AssociationRules.otherApp
        ),
        Rule(
            "association-clip",
            "an App Clip of a page that the association file doesn't list",
            site: AssociationRules.clip
        ),
        Rule("unmatched-page", "a landing page that no component matches", site: ComponentRules.unmatched),
        Rule("excluded-page", "a component that excludes a landing page", site: ComponentRules.excluded),
        Rule(
            "missing-item",
            "a component that excludes addresses without an item, since its * also matches a missing one",
            site: ComponentRules.missingItem
        ),
        Rule(
            "hidden-component",
            "a component that never decides, because an earlier one decides the opposite for all of its addresses",
            site: ComponentRules.hidden
        ),
        Rule(
            "ignored-paths",
            "paths beside components, which don't count and which no component repeats",
            site: ComponentRules.ignoredPaths
        ),
        Rule(
            "domain",
            "an associated domain without a service that systems know, or with more than a host and a mode",
            site: AppRules.domain
        ),
        Rule(
            "system-scheme",
            "a scheme of the Info.plist that is the system's, or isn't a scheme; a note if an entitlement allows it",
            site: AppRules.systemScheme,
            siteNotes: AppRules.defaultApp
        ),
        Rule(
            "unregistered-scheme",
            "an app-argument or a product page's address with a scheme that the Info.plist doesn't register",
            site: AppRules.unregisteredScheme
        ),
        Rule(
            "scenes",
            "an Info.plist that names no scene delegate, though the app has a storyboard; a note if it has no scenes at all",
            site: AppRules.scenes,
            siteNotes: AppRules.withoutScenes
        ),
        Rule(
            "other-host",
            "a note: an associated domain without www whose twin with www is not listed, or the other way round",
            siteNotes: AppRules.otherHost
        ),
        Rule(
            "banner-argument",
            "a note: an app-argument that no landing page of the folder reads",
            siteNotes: AppRules.bannerArgument
        ),
        Rule(
            "product-page",
            "a custom product page without a UUID of its own, or whose address doesn't open the app with a referrer; a note with the referrer",
            site: ProductPageRules.problems,
            siteNotes: ProductPageRules.notes
        ),
    ]

    private static func noPage(_ page: CheckedPage) -> [Problem] {
        page.page.hasTags ? [] : [(0, "this file contains no tag, so it was not checked as a page")]
    }

    private static func unreadFrame(_ page: CheckedPage) -> [Problem] {
        let message: Sentence =
            "this frame was not checked: at most 64 frames in a file are checked, and 3 levels of nesting"
        return page.page.unreadFrame.map { [($0, message)] } ?? []
    }

    private static func unclosed(_ page: CheckedPage) -> [Problem] {
        let message: Sentence = "this is never closed, so it includes the rest of the page; close it"
        return page.page.unclosed.map { [($0, message)] } ?? []
    }
}
