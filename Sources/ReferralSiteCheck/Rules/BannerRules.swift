/// Problems with a page's Smart App Banner.
enum BannerRules {
    static func otherApp(_ page: CheckedPage) -> [Rule.Problem] {
        let linked = page.referrerLinks.compactMap(\.appID)
        let expected = page.appID.map { [$0] } ?? linked
        return page.page.banners.compactMap { content in
            // A placeholder is a separate problem.
            guard PlaceholderRules.placeholder(inBanner: content.value, page) == nil else { return nil }
            guard let banner = appID(content.value) else {
                // A banner may be for an App Clip alone.
                guard items(content.value)["app-clip-bundle-id"] == nil else { return nil }
                return (content.offset, "this banner names no app; its content begins with app-id= and 1 to 19 digits")
            }
            guard let first = expected.first, !expected.contains(banner) else { return nil }
            let hint: Sentence = page.appID == nil ? ", the app of the page's links" : ""
            return (content.offset, "this banner is for app \(banner); it should be for \(first)\(hint)")
        }
    }

    static func beside(_ page: CheckedPage) -> [Rule.Problem] {
        let linked = page.referrerLinks.compactMap(\.appID)
        return page.page.banners.compactMap { content in
            guard let banner = appID(content.value), linked.contains(banner) else { return nil }
            return (content.offset, SmartAppBanner.effect + "; remove the banner if its downloads should count, too")
        }
    }

    static func second(_ page: CheckedPage) -> [Rule.Problem] {
        others(page, areSame: false).map { content in
            (content.offset, "this page already has another banner, and Safari shows only one; remove one of them")
        }
    }

    static func repeated(_ page: CheckedPage) -> [Rule.Problem] {
        others(page, areSame: true).map { ($0.offset, "this page already has this banner; remove one of them") }
    }

    /// The banners after the first one that have, or don't have, the same content.
    private static func others(_ page: CheckedPage, areSame: Bool) -> [HTMLElement.Attribute] {
        guard let first = page.page.banners.first.map({ items($0.value) }) else { return [] }
        return page.page.banners.dropFirst().filter { (items($0.value) == first) == areSame }
    }

    /// The app in `app-id=1300230302, app-argument=…`.
    private static func appID(_ content: String) -> AppID? { items(content)["app-id"].flatMap { AppID($0) } }

    /// The values in a banner's content, by their names in lowercase. If a name is repeated, the first one counts.
    static func items(_ content: String) -> [String: String] {
        var items: [String: String] = [:]
        for item in content.utf8.split(separator: ASCII.comma) {
            let parts = item.split(separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(Substring($0)).trimmed }
            let name = parts[0].asciiLowercased
            if items[name] == nil { items[name] = parts[parts.count - 1] }
        }
        return items
    }
}
