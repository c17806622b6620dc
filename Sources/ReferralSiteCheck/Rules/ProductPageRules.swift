extension Rule {
    /// What the addresses of custom product pages do.
    static let productPage = Rule(
        "product-page",
        "a custom product page without a UUID of its own, or whose address doesn't open the app with a referrer; a note with the referrer",
        site: { site in
            repeated(site)
                + site.productPages.flatMap { listed -> [SiteProblem] in
                    let problems = listed.page.idProblem.map { [SiteProblem(listed.idPlace, $0)] } ?? []
                    do throws(ProductPage.Problem) {
                        let effect = try effect(of: listed.page, site)
                        return problems + [SiteProblem(listed.linkPlace, effect, isNote: true)]
                    } catch {
                        return problems + [SiteProblem(listed.linkPlace, error.message)]
                    }
                }
        }
    )

    /// App Store Connect has one address for each page.
    private static func repeated(_ site: CheckedSite) -> [SiteProblem] {
        var lines: [String: Int] = [:]
        return site.productPages.filter { $0.page.idProblem == nil }.compactMap { listed in
            guard let line = lines[listed.page.key] else {
                lines[listed.page.key] = listed.idPlace.line
                return nil
            }
            let message: Sentence = "the product page \(quoted: listed.page.id) has an address in line \(line) already"
            return SiteProblem(listed.idPlace, message)
        }
    }

    /// What happens if the App Store opens a page's address. Throws the reason why the app gets no referrer.
    private static func effect(of page: ProductPage, _ site: CheckedSite) throws(ProductPage.Problem) -> Sentence {
        // A page of the site says nothing about an address with a scheme of the app's.
        let landing = page.host == nil ? nil : site.folders.lazy.flatMap(\.landingPages).first { $0.isAt(page.link) }
        let referrer = try page.referrer(item: landing?.item ?? "ref", pageReferrer: landing?.referrer)
        let effect: Sentence = "opens the app with the referrer \(quoted: referrer)"
        guard let host = page.host else { return effect + ", if the app registers the scheme" }
        let hosts = site.app.domains.filter { $0.service == "applinks" }.map(\.host)
        guard site.app.entitlements == nil || hosts.contains(where: { covers($0.asciiLowercased, host) }) else {
            let mend: Sentence = "add the host to its associated domains, or correct the address"
            throw .init(message: "the app isn't associated with \(quoted: host); \(mend)")
        }
        guard try opensApp(page, site) else {
            return
                "has the referrer \(quoted: referrer); without a valid association file, nobody knows whether it opens the app"
        }
        return site.app.entitlements == nil ? effect + ", if the association file is on \(quoted: host)" : effect
    }

    /// Whether a domain of the entitlements includes a host. `*.example.com` stands for each subdomain.
    private static func covers(_ domain: String, _ host: String) -> Bool {
        domain == host || domain.hasPrefix("*.") && host.hasSuffix(domain.dropFirst())
    }

    /// Whether an association file decides that an address opens the app. Returns `false` if no file can decide.
    private static func opensApp(_ page: ProductPage, _ site: CheckedSite) throws(ProductPage.Problem) -> Bool {
        let files = site.wellFormedFiles
        var excluding: SitePlace?
        for readable in files {
            guard let component = readable.file.decision(on: page.link, for: site.apps(of: readable.file))?.component
            else { continue }
            guard component.isExclude else { return true }
            excluding = excluding ?? readable.document.place(at: component.offset)
        }
        if let excluding {
            let mend: Sentence = "add a component for the address before that"
            throw .init(
                message: "\(quoted: excluding.file) excludes \(quoted: page.link) in line \(excluding.line); \(mend)"
            )
        }
        guard files.isEmpty else {
            let message: Sentence =
                "no component of the association file matches \(quoted: page.link), so it doesn't open the app"
            throw .init(message: "\(message); add one, as 'referral-tool site' writes it")
        }
        return false
    }
}
