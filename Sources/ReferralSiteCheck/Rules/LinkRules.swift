extension Rule {
    /// Problems with a single link, and a file that isn't a page.
    @RuleList static var links: [Rule] {
        Rule("no-page", "a note: a file without a tag, such as a search engine's verification file") { page in
            page.page.hasTags
                ? [] : [Problem(0, "this file contains no tag, so it was not checked as a page", isNote: true)]
        }
        Rule("no-link", "a referrer on an element that is not a link", \.referrerElements) { element, _ in
            element.isLink
                ? nil : "\(quoted: "<\(element.name)>") is not a link; put the referrer on the <a> itself"
        }
        Rule("no-address", "a referrer on a link without an href", \.referrerElements) { element, _ in
            element.isLink && element.address == nil
                ? "this link has a referrer and no href; give it the address of an App Store page" : nil
        }
        Rule("no-store-page", "a referrer on a link to anything else than an app's page in the App Store") { page in
            page.referrerLinks.compactMap(notAStorePage)
                + page.links.filter { !$0.hasReferrerAttribute && $0.isStorePath }.compactMap(\.element.address).map {
                    Problem($0.offset, "\(quoted: $0.value) is a path on this site; it should begin with https://")
                }
        }
        Rule("other-app", "a referrer on a link to an app other than --app-id", \.referrerLinks) { link, page in
            guard let appID = page.appID, let other = link.storePage?.appID, other != appID else { return nil }
            return "this link leads to app \(other); it should lead to \(appID)"
        }
        Rule("no-referrer", "an empty referrer") { page in
            page.referrerLinks.filter { $0.element.isLink && !$0.hasReferrer }.compactMap {
                $0.element["data-referrer"] ?? $0.element["data-referrer-from"]
            }
        } message: { attribute, _ in
            "\(name: attribute.name) is empty, so nothing is copied; name a referrer"
        }
        forSite("added-mark", "a note: a link to a landing page whose referrer has a mark of the text around it") {
            site in
            site.markedLinks.filter { link in site.landingPages.contains { $0.isTarget(of: link) } }.map { link in
                let message: Sentence =
                    "the referrer of this link has a sentence's mark, which a program that makes links probably added; "
                    + "put the address in a link of its own, such as <a href=\"…\">"
                return SiteProblem(link.place, message, isNote: true)
            }
        }
    }

    /// Problems with the items in a store link's address.
    @RuleList static var tokens: [Rule] {
        Rule("stale-link", "a link that already has an ed, because somebody copied it", \.storeLinks) { link, _ in
            link.item("ed") == nil
                ? nil : "this address contains somebody's expired tap; remove its item ed"
        }
        Rule("lone-token", "a ct without a pt, or a pt without a ct", \.storeLinks) { link, page in
            let (pt, ct) = (link.item("pt") ?? "", link.item("ct"))
            // With an affiliate's token, ct is the affiliate's own.
            if link.item("at") != nil { return nil }
            // A tap adds the ct, and the same page may have a second link with its address.
            if !pt.isEmpty, ct == nil, page.addressesWithTokenFromReferrer.contains(link.element.address?.value ?? "") {
                return nil
            }
            if let lone = Campaign.loneToken(hasProvider: !pt.isEmpty, hasCampaign: ct?.isEmpty == false) {
                return "this address has no \(name: lone.missing), and without it the App Store doesn't count the "
                    + "\(name: lone.present); add it"
            }
            let isEmpty = pt.isEmpty && link.item("pt") != nil || ct == ""
            return isEmpty ? "pt and ct are empty; give both a value or remove them" : nil
        }
        Rule("referrer-ct", "a data-referrer-ct on a link without a pt") { page in
            page.referrerLinks.filter { $0.storePage != nil && $0.item("pt")?.isEmpty ?? true }
                .compactMap { $0.element["data-referrer-ct"] }
        } message: { _, _ in
            "data-referrer-ct has no effect without a provider token; add pt to the link's address"
        }
        Rule("long-token", "a ct of more than 40 bytes", \.storeLinks) { link, _ in
            let (count, most) = (link.item("ct")?.utf8.count ?? 0, Campaign.maximumTokenLength)
            return count > most ? "ct has \(count) bytes; the App Store accepts only \(most)" : nil
        }
    }

    private static func notAStorePage(_ link: PageLink) -> Problem? {
        guard link.element.isLink, let address = link.element.address, case .failure(let error)? = link.page else {
            return nil
        }
        if case .notAnAppPage(let kind) = error {
            let message: Sentence =
                "\(quoted: address.value) names no app: it is of the kind \(quoted: kind); "
                + "copy the address of the app's own page"
            return Problem(address.offset, message)
        }
        // These are separate problems.
        guard Placeholder.first(in: address.value) == nil, !address.hasCurlyQuotes else { return nil }
        let message: Sentence =
            "a link with a referrer leads to an App Store page; \(quoted: address.value) doesn't: \(reason: error)"
        return Problem(address.offset, message)
    }
}
