import ReferralBridge

/// What is wrong with a page's Smart App Banner.
enum BannerRules {
    static func otherApp(_ page: CheckedPage) -> [Rule.Problem] {
        let linked = page.ours.compactMap { $0.storePage?.appID }
        let expected = Set(page.appID.map { [$0] } ?? linked)
        return page.page.banners.compactMap { content in
            guard let banner = appID(content.value) else {
                return Rule.Problem(
                    offset: content.offset,
                    message: "this banner names no app; its content begins with app-id= and 1 to 19 digits"
                )
            }
            guard let first = page.appID ?? linked.first, !expected.contains(banner) else { return nil }
            return Rule.Problem(
                offset: content.offset,
                message: "this banner is of app \(banner); it should be of \(first)"
                    + (page.appID == nil ? ", where the page's links lead" : "")
            )
        }
    }

    /// The app of `app-id=1300230302, app-argument=…`.
    private static func appID(_ content: String) -> AppID? {
        content.split(separator: ",").lazy
            .map { String($0).splitAtEquals }
            .first { $0.0.trimmed.asciiLowercased == "app-id" }
            .flatMap { AppID(($0.1 ?? "").trimmed) }
    }
}
