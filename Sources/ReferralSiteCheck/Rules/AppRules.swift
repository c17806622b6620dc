/// Problems with the app's files, and with what pages hand to the app.
enum AppRules {
    // MARK: - Domains

    private static let services = ["applinks", "appclips", "webcredentials", "activitycontinuation"]
    private static let modes: Set<String> = ["mode=developer", "mode=managed", "mode=developer+managed"]

    static func domain(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.app.domains.compactMap { domain in
            problem(of: domain).map { (domain.place, "\(quoted: domain.text) \($0)") }
        }
    }

    private static func problem(of domain: AppFiles.Domain) -> Sentence? {
        guard AppFiles.Identity.known(domain.text) != nil || domain.text.isEmpty else { return nil }
        let mend: Sentence = "; write applinks: and the host only, such as applinks:example.com"
        guard let service = domain.service, !["http", "https"].contains(service.asciiLowercased),
            !service.utf8.contains(ASCII.period)
        else { return "has no service" + mend }
        guard services.contains(service) else {
            // Others could be new.
            let letters = Array(service.asciiLowercased.utf8)
            return services.first { EditDistance.between(letters, Array($0.utf8)) <= 2 }
                .map { "has a service that systems don't know; write \(name: $0):" }
        }
        let host = domain.host
        let problems: [(Bool, Sentence)] = [
            (host.contains("://"), "has a scheme" + mend),
            (host.utf8.contains(ASCII.slash), "has a path" + mend),
            (host.utf8.contains(ASCII.colon), "has a port" + mend),
            (host.isEmpty || host.utf8.contains(where: ASCII.isWhiteSpace), "has no valid host" + mend),
            (
                !host.utf8.allSatisfy { $0 < 0x80 },
                "has a host with letters beyond ASCII; write it in Punycode, which begins with xn--"
            ),
            (
                domain.query.map(modes.contains) == false,
                "has a mode that systems don't know; write ?mode=developer or ?mode=managed"
            ),
        ]
        return problems.first(where: \.0)?.1
    }

    static func otherHost(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let domains = site.app.domains.filter { $0.service == "applinks" && problem(of: $0) == nil }
        let hosts = Set(domains.map { $0.host.asciiLowercased })
        var known: Set<String> = []
        return domains.compactMap { domain in
            let host = domain.host.asciiLowercased
            let isWWW = host.hasPrefix("www.")
            let twin = isWWW ? String(host.dropFirst(4)) : "www." + host
            let base = isWWW ? twin : host
            guard isRegistrable(base), !hosts.contains(twin), isWWW || !hosts.contains("*." + base),
                known.insert(host).inserted
            else { return nil }
            let message: Sentence =
                "a link to \(quoted: twin) doesn't open the app; add applinks:\(name: twin) if the site has that name, too"
            return (domain.place, message)
        }
    }

    /// Whether a host is probably a name that somebody registered: `example.com` or `example.co.uk`, not `go.example.com`.
    private static func isRegistrable(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        return labels.count == 2 && labels[0] != "*"
            || labels.count == 3 && labels[2].utf8.count == 2 && labels[1].utf8.count <= 3 && labels[0] != "*"
    }

    // MARK: - Schemes

    static func systemScheme(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.app.schemes.compactMap { name, place in
            guard AppFiles.Identity.known(name) != nil || name.isEmpty else { return nil }
            if AppScheme.systemSchemes.contains(name.asciiLowercased) {
                guard AppScheme.entitlements[name.asciiLowercased] == nil else { return nil }
                return (place, "\(quoted: name) is the system's; choose a scheme that begins with the app's name")
            }
            guard !AppScheme.isValid(name) else { return nil }
            let form: Sentence =
                name.utf8.first.map(ASCII.isLetter) == true
                ? "it has letters, digits, +, - and . only, and no colon" : "it begins with a letter"
            return (place, "\(quoted: name) isn't a scheme; \(form)")
        }
    }

    /// A default browser or mail app has to register the system's schemes.
    static func defaultApp(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.app.schemes.compactMap { name, place in
            guard let entitlement = AppScheme.entitlements[name.asciiLowercased], !site.app.isEntitled(to: entitlement)
            else { return nil }
            let message: Sentence =
                "\(quoted: name) is the system's, except for an app with the entitlement \(name: entitlement)"
            return (place, message)
        }
    }

    static func unregisteredScheme(_ site: CheckedSite) -> [Rule.SiteProblem] {
        guard site.app.info != nil else { return [] }
        let schemes = site.app.schemes.map(\.name.asciiLowercased)
        // Xcode's variables could be any scheme.
        guard schemes.allSatisfy({ AppFiles.Identity.known($0) != nil || $0.isEmpty }) else { return [] }
        let arguments = site.folders.flatMap(\.banners).map { ("app-argument", $0.argument, $0.place) }
        // In a product page's address, a system's scheme is the problem of another rule.
        let ownSchemes = site.productPages.filter { !AppScheme.systemSchemes.contains($0.page.scheme ?? "") }
        let addresses = ownSchemes.map { ("address", String?.some($0.page.link), $0.linkPlace) }
        return (arguments + addresses).compactMap { kind, address, place in
            guard let scheme = address.flatMap({ WebAddress($0).scheme.map { String($0).asciiLowercased } }),
                !["http", "https"].contains(scheme), !schemes.contains(scheme)
            else { return nil }
            let message: Sentence =
                "the app doesn't register the scheme \(quoted: scheme) of this \(name: kind); add it to the CFBundleURLTypes of its Info.plist"
            return (place, message)
        }
    }

    // MARK: - Scenes

    /// Scenes of UIKit, which have a storyboard, without a delegate. SwiftUI configures its scenes itself, also with an empty list.
    static func scenes(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let key = "UIApplicationSceneManifest"
        guard let info = site.app.info, let manifest = info.list[key] else { return [] }
        let hasStoryboard = info.list["UIMainStoryboardFile"] != nil
        let role = "UIWindowSceneSessionRoleApplication"
        let scenes = manifest["UISceneConfigurations"]?[role]?.array ?? []
        let isUnnamed = scenes.contains { scene in
            (scene["UISceneDelegateClassName"]?.string ?? "").isEmpty
                && (hasStoryboard || scene["UISceneStoryboardFile"] != nil)
        }
        guard isUnnamed || scenes.isEmpty && hasStoryboard else { return [] }
        let message: Sentence =
            "no scene delegate is named, so no link arrives, and the app doesn't start if it is built with Xcode 27; name it with UISceneDelegateClassName"
        return [(info.place(ofKey: isUnnamed ? role : key), message)]
    }

    /// An app without scenes, as far as the file says. Its delegate may configure them in code.
    static func withoutScenes(_ site: CheckedSite) -> [Rule.SiteProblem] {
        let key = "UIMainStoryboardFile"
        guard let info = site.app.info, info.list["UIApplicationSceneManifest"] == nil, info.list[key] != nil else {
            return []
        }
        let message: Sentence =
            "an app without scenes doesn't start if it is built with Xcode 27; name a scene delegate in UIApplicationSceneManifest, or in code"
        return [(info.place(ofKey: key), message)]
    }

    // MARK: - App arguments

    static func bannerArgument(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.folders.flatMap { folder in
            folder.banners.compactMap { banner in
                guard let argument = banner.argument, let scheme = WebAddress(argument).scheme,
                    ["http", "https"].contains(String(scheme).asciiLowercased),
                    !folder.landingPages.contains(where: { isRead(argument, by: $0) })
                else { return nil }
                return (
                    banner.place,
                    "no landing page of this site reads \(quoted: argument); write a landing page's address with its referrer, such as ?ref=banner"
                )
            }
        }
    }

    /// Whether an address is a landing page's, and contains a referrer.
    private static func isRead(_ address: String, by page: CheckedSite.ReferrerPage) -> Bool {
        let parts = WebAddress(address)
        guard page.isAt(parts.path) else { return false }
        return page.referrer != nil
            || (parts.query ?? "").split(separator: "&").contains { item in
                [PercentEncoding.encode(page.item) + "=", "ed="].contains { item.hasPrefix($0) && item != $0 }
            }
    }
}
