extension Rule {
    /// Problems with a page's Smart App Banner.
    @RuleList static var banners: [Rule] {
        Rule("banner", "a Smart App Banner without an app, or for another app", \.page.banners) { content, page in
            let expected = page.appID.map { [$0] } ?? page.linkedApps
            // A placeholder is a separate problem.
            guard page.placeholder(inBanner: content.value) == nil else { return nil }
            guard let banner = SmartAppBanner.appID(content.value) else {
                // A banner may be for an App Clip alone.
                return SmartAppBanner.items(content.value)["app-clip-bundle-id"] == nil
                    ? "this banner names no app; its content begins with app-id= and 1 to 19 digits" : nil
            }
            guard let first = expected.first, !expected.contains(banner) else { return nil }
            let hint: Sentence = page.appID == nil ? ", the app of the page's links" : ""
            return "this banner is for app \(banner); it should be for \(first)\(hint)"
        }
        Rule("banner-beside", "a note: a banner beside links with a referrer, which it bypasses", isNote: true) {
            page in
            page.page.banners.filter { SmartAppBanner.appID($0.value).map(page.linkedApps.contains) == true }
        } message: { _, _ in
            SmartAppBanner.effect + "; remove the banner if its downloads should count, too"
        }
    }
}
