extension Rule {
    /// Problems with a single link, and a file that isn't a page.
    static let links = [
        Rule("no-page", "a note: a file without a tag, such as a search engine's verification file") { page in
            page.page.hasTags
                ? [] : [Problem(0, "this file contains no tag, so it was not checked as a page", isNote: true)]
        },
        Rule("no-link", "a referrer on an element that is not a link") { link, _ in
            if link.isLink { return nil }
            let name = "<\(link.element.name)>"
            return Problem(
                link.element.offset,
                "\(quoted: name) is not a link; put the referrer on the <a> itself"
            )
        },
        Rule("no-address", "a referrer on a link without an href") { link, _ in
            guard link.isLink, link.address == nil else { return nil }
            let message: Sentence = "this link has a referrer and no href; give it the address of an App Store page"
            return Problem(link.element.offset, message)
        },
        Rule("no-store-page", "a referrer on a link to anything else than an app's page in the App Store") { page in
            page.referrerLinks.compactMap(notAStorePage)
                + page.links.filter { !$0.hasReferrerAttribute && $0.isStorePath }.compactMap(\.address).map {
                    address in
                    let message: Sentence =
                        "\(quoted: address.value) is a path on this site; it should begin with https://"
                    return Problem(address.offset, message)
                }
        },
        Rule("store-scheme", "a link to the store that begins with itms: or itmss:") { address, _, _ in
            guard let scheme = scheme(of: address), ["itms", "itmss"].contains(scheme.asciiLowercased) else {
                return nil
            }
            let message: Sentence =
                "\(name: scheme): is for the iTunes Store, and only on Apple's devices; write https:"
            return Problem(address.offset, message)
        },
        Rule("other-app", "a referrer on a link to an app other than --app-id") { link, page in
            guard let appID = page.appID, let address = link.address, let other = link.storePage?.appID, other != appID
            else { return nil }
            return Problem(address.offset, "this link leads to app \(other); it should lead to \(appID)")
        },
        Rule("no-referrer", "an empty referrer") { link, _ in
            guard link.isLink, !link.hasReferrer,
                let attribute = link.element["data-referrer"] ?? link.element["data-referrer-from"]
            else { return nil }
            let message: Sentence = "\(name: attribute.name) is empty, so nothing is copied; name a referrer"
            return Problem(attribute.offset, message)
        },
    ]

    /// Problems with the items in a store link's address.
    static let tokens = [
        Rule("stale-link", "a link that already has an ed, because somebody copied it") { address, store, _ in
            if store.item(named: "ed") == nil { return nil }
            return Problem(address.offset, "this address contains somebody's expired tap; remove its item ed")
        },
        Rule("lone-token", "a ct without a pt, or a pt without a ct") { address, store, page in
            let (pt, ct) = (store.item(named: "pt"), store.item(named: "ct"))
            let isEmpty = [pt, ct].map { ($0 ?? "").isEmpty }
            // With an affiliate's token, ct is the affiliate's own.
            if store.item(named: "at") != nil { return nil }
            // A tap adds the ct, and the same page may have a second link with its address.
            if !isEmpty[0], ct == nil, page.addressesWithTokenFromReferrer.contains(address.value) { return nil }
            if let lone = Campaign.loneToken(hasProvider: !isEmpty[0], hasCampaign: !isEmpty[1]) {
                let message: Sentence =
                    "this address has no \(name: lone.missing), and without it the App Store doesn't count the "
                    + "\(name: lone.present); add it"
                return Problem(address.offset, message)
            }
            guard pt == "" || ct == "" else { return nil }
            return Problem(address.offset, "pt and ct are empty; give both a value or remove them")
        },
        Rule("referrer-ct", "a data-referrer-ct on a link without a pt") { link, _ in
            guard let attribute = link.element["data-referrer-ct"], let store = link.storePage,
                store.item(named: "pt")?.isEmpty ?? true
            else { return nil }
            let message: Sentence =
                "data-referrer-ct has no effect without a provider token; add pt to the link's address"
            return Problem(attribute.offset, message)
        },
        Rule("one-token", "a note: a landing page's link with a pt and one ct for all referrers") { link, _ in
            guard link.element["data-referrer-from"]?.value.isEmpty == false, !link.takesTokenFromReferrer,
                let address = link.address, let campaign = link.storePage?.campaign
            else { return nil }
            let message: Sentence =
                "App Store Connect counts all referrers of this link as the campaign \(quoted: campaign.campaignToken); "
                + "to count each one, use --ct-from-referrer of 'referral-tool page', or that of 'snippet' with data-referrer-ct"
            return Problem(address.offset, message, isNote: true)
        },
        Rule("long-token", "a ct of more than 40 bytes") { address, store, _ in
            guard let count = store.item(named: "ct")?.utf8.count, count > Campaign.maximumTokenLength else {
                return nil
            }
            let message: Sentence =
                "ct has \(count) bytes; the App Store accepts only \(Campaign.maximumTokenLength)"
            return Problem(address.offset, message)
        },
        Rule("apple-scheme", "a note: a link that begins with itms-apps:, which only Apple's devices know") {
            address,
            _,
            _ in
            guard let scheme = scheme(of: address), scheme.asciiLowercased.hasPrefix("itms-apps") else { return nil }
            let message: Sentence =
                "\(name: scheme): works only on Apple's devices; https: leads to the App Store on all devices"
            return Problem(address.offset, message, isNote: true)
        },
    ]

    private static func scheme(of address: HTMLElement.Attribute) -> String? {
        WebAddress(address.value.trimmed).scheme.map { String($0) }
    }

    private static func notAStorePage(_ link: PageLink) -> Problem? {
        guard link.isLink, let address = link.address, case .failure(let error)? = link.page else { return nil }
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
