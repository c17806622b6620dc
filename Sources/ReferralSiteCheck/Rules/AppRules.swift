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
    ]
}
