extension Rule {
    /// Parts of templates and samples that nobody filled in.
    static let placeholder: Rule = Rule(
        "placeholder",
        "a placeholder or a sample, such as {{ campaign }}, YOUR_CAMPAIGN, TEAMID or id123456789, or a script's undefined",
        page: { page in
            let snippets = page.snippets.found.filter { $0.isUnreadable || $0.state == .unread }.map(\.element)
            var found = page.links.flatMap { placeholders(in: $0, page) }
            found += page.page.banners.map { ($0.offset, page.placeholder(inBanner: $0.value), false) }
            found += snippets.map { ($0.offset, page.placeholder(inAddressOf: $0), false) }
            // The addresses of other scripts may be another program's.
            found += page.snippets.missingParts.map {
                ($0.element.offset, page.placeholder(inAddressOf: $0.element), true)
            }
            return found.compactMap { offset, text, isNote in
                guard let text else { return nil }
                let message: Sentence = "\(quoted: text) is a placeholder that was not filled in; write its value"
                return Problem(offset, message, isNote: isNote)
            }
        },
        site: { site in
            // The app IDs of association files.
            site.associations.flatMap { association in
                let mend: Sentence = site.app.identity.isKnown ? "; write \(quoted: site.app.identity.text)" : ""
                return association.document.placed(
                    (association.file?.allApps ?? []).compactMap { app in
                        AppFiles.Identity.problem(ofAppID: app.id).map { Problem(app.offset, $0 + mend) }
                    }
                )
            }
        }
    )

    private typealias Found = (offset: Int, placeholder: String?, isNote: Bool)

    private static func placeholders(in link: PageLink, _ page: CheckedPage) -> [Found] {
        var found: [Found] = []
        if let address = link.element.address, link.storePage != nil || link.hasReferrerAttribute {
            let values = [address.value] + ["pt", "ct"].compactMap(link.item)
            // With --app-id, links with a referrer are compared with that app.
            let number = page.appID == nil || !link.hasReferrerAttribute ? link.storePage?.appID : nil
            let placeholder = values.lazy.compactMap(Placeholder.first).first ?? page.sample(number)
            found.append((address.offset, placeholder, false))
        }
        return found
            + link.element.attributes.filter(\.isOurs).map { ($0.offset, Placeholder.first(in: $0.value), false) }
    }
}

extension CheckedPage {
    /// The placeholder in the address of a script, or in the page's base.
    func placeholder(inAddressOf element: HTMLElement) -> String? {
        element["src"].flatMap { Placeholder.first(in: $0.value) } ?? basePlaceholder
    }

    func placeholder(inBanner content: String) -> String? {
        let items = SmartAppBanner.items(content)
        let values = ["app-id", "app-argument", "app-clip-bundle-id"].compactMap { items[$0] }
        let number = appID == nil ? items["app-id"].flatMap { AppID($0) } : nil
        return values.lazy.compactMap(Placeholder.first).first ?? sample(number)
    }

    /// The app's number if it is that of a sample, such as Apple's; `nil` for the number of the page's own app.
    fileprivate func sample(_ appID: AppID?) -> String? {
        guard let digits = appID?.description, appID != self.appID else { return nil }
        return Placeholder.isSampleNumber(digits) ? digits : nil
    }
}
