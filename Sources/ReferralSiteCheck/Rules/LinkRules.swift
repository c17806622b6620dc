/// Problems with a single link.
enum LinkRules {
    static func notALink(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.filter { !$0.isLink }.map { link in
            let name = "<\(link.element.name)>"
            return (link.element.offset, "\(quoted: name) is not a link; put the referrer on the <a> itself")
        }
    }

    static func missingAddress(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.filter { $0.isLink && $0.address == nil }.map { link in
            let message: Sentence = "this link has a referrer and no href; give it the address of an App Store page"
            return (link.element.offset, message)
        }
    }

    static func notAStorePage(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.filter(\.isLink).compactMap { link in
            guard let address = link.address else { return nil }
            if let kind = link.appLessKind {
                let message: Sentence =
                    "\(quoted: address.value) names no app: it is of the kind \(quoted: kind); "
                    + "copy the address of the app's own page"
                return (address.offset, message)
            }
            // These are separate problems.
            guard case .failure(let error)? = link.page, Placeholder.first(in: address.value) == nil,
                !AttributeRules.hasCurlyQuotes(address)
            else { return nil }
            let message: Sentence =
                "a link with a referrer leads to an App Store page; \(quoted: address.value) doesn't: \(reason: error)"
            return (address.offset, message)
        }
            + page.links.filter { !$0.hasReferrerAttribute }.compactMap { link in
                guard link.isStorePath, let address = link.address else { return nil }
                let message: Sentence = "\(quoted: address.value) is a path on this site; it should begin with https://"
                return (address.offset, message)
            }
    }

    static func scheme(_ page: CheckedPage) -> [Rule.Problem] {
        page.links.compactMap { link in
            guard let address = link.address, link.storePage != nil,
                let scheme = WebAddress(address.value.trimmed).scheme,
                ["itms", "itmss"].contains(String(scheme).asciiLowercased)
            else { return nil }
            let message: Sentence =
                "\(name: scheme): is for the iTunes Store, and only on Apple's devices; write https:"
            return (address.offset, message)
        }
    }

    static func appleScheme(_ page: CheckedPage) -> [Rule.Problem] {
        page.links.compactMap { link in
            guard let address = link.address, link.storePage != nil,
                let scheme = WebAddress(address.value.trimmed).scheme,
                String(scheme).asciiLowercased.hasPrefix("itms-apps")
            else { return nil }
            let message: Sentence =
                "\(name: scheme): works only on Apple's devices; https: leads to the App Store on all devices"
            return (address.offset, message)
        }
    }

    static func otherApp(_ page: CheckedPage) -> [Rule.Problem] {
        guard let appID = page.appID else { return [] }
        return page.referrerLinks.compactMap { link in
            guard let address = link.address, let other = link.appID, other != appID else { return nil }
            return (address.offset, "this link leads to app \(other); it should lead to \(appID)")
        }
    }

    static func emptyReferrer(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.filter { $0.isLink && !$0.hasReferrer }.compactMap { link in
            (link.element["data-referrer"] ?? link.element["data-referrer-from"]).map { attribute in
                (attribute.offset, "\(name: attribute.name) is empty, so nothing is copied; name a referrer")
            }
        }
    }

    static func staleLink(_ page: CheckedPage) -> [Rule.Problem] {
        storeLinks(of: page).compactMap { address, store in
            guard store.item(named: "ed") != nil else { return nil }
            let message: Sentence = "this address contains somebody's expired tap; remove its item ed"
            return (address.offset, message)
        }
    }

    static func loneToken(_ page: CheckedPage) -> [Rule.Problem] {
        // A tap adds the ct, and the same page may have a second link with its address.
        let marked = Set(page.links.filter(\.takesTokenFromReferrer).compactMap(\.address?.value))
        return storeLinks(of: page).compactMap { address, store in
            let (pt, ct) = (store.item(named: "pt"), store.item(named: "ct"))
            let isEmpty = [pt, ct].map { $0 ?? "" }.map(\.isEmpty)
            // With an affiliate's token, ct is the affiliate's own.
            if store.item(named: "at") != nil { return nil }
            if pt?.isEmpty == false, ct == nil, marked.contains(address.value) { return nil }
            if let lone = Campaign.loneToken(hasProvider: !isEmpty[0], hasCampaign: !isEmpty[1]) {
                let message: Sentence =
                    "this address has no \(name: lone.missing), and without it the App Store doesn't count the "
                    + "\(name: lone.present); add it"
                return (address.offset, message)
            }
            guard pt == "" || ct == "" else { return nil }
            return (address.offset, "pt and ct are empty; give both a value or remove them")
        }
    }

    static func uncountedReferrer(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.compactMap { link in
            guard let attribute = link.element["data-referrer-ct"], let store = link.storePage,
                store.item(named: "pt")?.isEmpty ?? true
            else { return nil }
            let message: Sentence =
                "data-referrer-ct has no effect without a provider token; add pt to the link's address"
            return (attribute.offset, message)
        }
    }

    static func oneToken(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.compactMap { link in
            guard link.element["data-referrer-from"]?.value.isEmpty == false, !link.takesTokenFromReferrer,
                let address = link.address, let campaign = link.storePage?.campaign
            else { return nil }
            let message: Sentence =
                "App Store Connect counts all referrers of this link as the campaign \(quoted: campaign.campaignToken); "
                + "to count each one, use --ct-from-referrer of 'referral-tool page', or that of 'snippet' with data-referrer-ct"
            return (address.offset, message)
        }
    }

    static func longToken(_ page: CheckedPage) -> [Rule.Problem] {
        storeLinks(of: page).compactMap { address, store in
            guard let count = store.item(named: "ct")?.utf8.count, count > Campaign.maximumTokenLength else {
                return nil
            }
            return (address.offset, "ct has \(count) bytes; the App Store accepts only \(Campaign.maximumTokenLength)")
        }
    }

    static func scripted(_ page: CheckedPage) -> [Rule.Problem] {
        // A misspelled referrer is a separate problem, and so is markup that hides the links.
        let hasLinks =
            page.page.unclosed != nil || !page.referrerLinks.isEmpty
            || page.links.contains { !$0.misspellings.isEmpty }
        let mayAddLinks = !page.snippets.found.isEmpty || page.snippets.namesReferrers || !page.page.hasLinks
        guard !hasLinks, mayAddLinks,
            let script = page.snippets.found.first?.element ?? page.page.scripts.first?.element
        else { return [] }
        let message: Sentence =
            "this page has no link with a referrer; if a script adds one, it was not checked, "
            + "since pages are read without what scripts add"
        return [(script.offset, message)]
    }

    /// All links to the store, with and without a referrer.
    private static func storeLinks(of page: CheckedPage) -> [(HTMLElement.Attribute, StorePage)] {
        page.links.compactMap { link in
            guard let address = link.address, let store = link.storePage else { return nil }
            return (address, store)
        }
    }
}
