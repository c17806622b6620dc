extension Rule {
    /// Problems with the app's files, and with what pages hand to the app.
    static let app = [
        forSite("domain", "an associated domain without a known service, or with more than a host and a mode") { site in
            site.app.domains.compactMap { domain in
                domain.problem.map { SiteProblem(domain.place, "\(quoted: domain.text) \($0)") }
            }
        },
        forSite("system-scheme", "a scheme that is the system's, or isn't one; a note if an entitlement allows it") {
            site in
            site.app.schemes.compactMap { name, place in
                if let entitlement = AppScheme.entitlements[name.asciiLowercased] {
                    // A default browser or mail app has to register the system's schemes.
                    if site.app.isEntitled(to: entitlement) { return nil }
                    let message: Sentence =
                        "\(quoted: name) is the system's, except for an app with the entitlement \(name: entitlement)"
                    return SiteProblem(place, message, isNote: true)
                }
                return AppScheme.problem(of: name).map { SiteProblem(place, $0) }
            }
        },
        forSite(
            "unregistered-scheme",
            "an address with a scheme that the Info.plist doesn't register",
            unregisteredSchemes
        ),
        forSite("other-host", "a note: an associated domain whose twin with or without www is not listed") { site in
            let domains = site.app.domains.filter { $0.service == "applinks" && $0.problem == nil }
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
                return SiteProblem(domain.place, message, isNote: true)
            }
        },
    ]

    /// Whether a host is probably a name that somebody registered: `example.com` or `example.co.uk`, not `go.example.com`.
    private static func isRegistrable(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        return labels.first != "*"
            && (labels.count == 2 || labels.count == 3 && labels[2].utf8.count == 2 && labels[1].utf8.count <= 3)
    }

    @Sendable
    private static func unregisteredSchemes(_ site: CheckedSite) -> [SiteProblem] {
        guard site.app.info != nil else { return [] }
        let schemes = site.app.schemes.map(\.name.asciiLowercased)
        // Xcode's variables could be any scheme.
        guard schemes.allSatisfy({ AppFiles.Identity.known($0) != nil || $0.isEmpty }) else { return [] }
        return site.banners.compactMap { banner in
            guard let scheme = WebAddress(banner.argument ?? "").lowercasedScheme, !["http", "https"].contains(scheme),
                !schemes.contains(scheme)
            else { return nil }
            let message: Sentence =
                "the app doesn't register the scheme \(quoted: scheme) of this app-argument; "
                + "add it to the CFBundleURLTypes of its Info.plist"
            return SiteProblem(banner.place, message)
        }
    }
}
