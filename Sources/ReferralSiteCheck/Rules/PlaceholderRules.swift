/// Parts of templates and samples that nobody filled in.
enum PlaceholderRules {
    static func problems(_ page: CheckedPage) -> [Rule.Problem] {
        var found: [(offset: Int, placeholder: String)] = []
        for link in page.links {
            if let address = link.address, link.storePage != nil || link.hasReferrerAttribute {
                let values = [address.value] + ["pt", "ct"].compactMap { link.storePage?.item(named: $0) }
                // With --app-id, links with a referrer are compared with that app.
                let number = page.appID == nil || !link.hasReferrerAttribute ? link.appID : nil
                let placeholder = values.lazy.compactMap(Placeholder.first).first ?? sample(number, page)
                found += placeholder.map { [(address.offset, $0)] } ?? []
            }
            found += link.element.attributes.filter(AttributeRules.isOurs).compactMap { attribute in
                Placeholder.first(in: attribute.value).map { (attribute.offset, $0) }
            }
        }
        for content in page.page.banners {
            found += placeholder(inBanner: content.value, page).map { [(content.offset, $0)] } ?? []
        }
        for snippet in page.snippets.found where snippet.isUnreadable || snippet.state == .unread {
            found += placeholder(inAddressOf: snippet.element, page).map { [(snippet.element.offset, $0)] } ?? []
        }
        return found.map { ($0, message($1)) }
    }

    /// The addresses of other scripts and of frames.
    static func notes(_ page: CheckedPage) -> [Rule.Problem] {
        page.snippets.missingParts.compactMap { element, _ in
            placeholder(inAddressOf: element, page).map { (element.offset, message($0)) }
        }
    }

    /// The app IDs of association files.
    static func apps(_ site: CheckedSite) -> [Rule.SiteProblem] {
        site.files.flatMap { readable in
            let mend: Sentence = site.app.identity.isKnown ? "; write \(quoted: site.app.identity.text)" : ""
            let apps = readable.file.entries.flatMap(\.apps) + (readable.file.clips?.apps ?? [])
            return readable.document.placed(
                apps.compactMap { app in AppFiles.Identity.problem(ofAppID: app.id).map { (app.offset, $0 + mend) } }
            )
        }
    }

    /// The placeholder in the address of a script or a frame, or in the page's base.
    static func placeholder(inAddressOf element: HTMLElement, _ page: CheckedPage) -> String? {
        element["src"].flatMap { Placeholder.first(in: $0.value) } ?? page.basePlaceholder
    }

    static func placeholder(inBanner content: String, _ page: CheckedPage) -> String? {
        let items = BannerRules.items(content)
        let values = ["app-id", "app-argument", "app-clip-bundle-id"].compactMap { items[$0] }
        let number = page.appID == nil ? items["app-id"].flatMap { AppID($0) } : nil
        return values.lazy.compactMap(Placeholder.first).first ?? sample(number, page)
    }

    /// The app's number if it is that of a sample, such as Apple's; `nil` for the number of the page's own app.
    private static func sample(_ appID: AppID?, _ page: CheckedPage) -> String? {
        guard let digits = appID?.description, appID != page.appID, Placeholder.isSampleNumber(digits) else {
            return nil
        }
        return digits
    }

    private static func message(_ placeholder: String) -> Sentence {
        "\(quoted: placeholder) is a placeholder that was not filled in; write its value"
    }
}
