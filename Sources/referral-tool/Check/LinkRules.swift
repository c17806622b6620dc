import ReferralBridge

/// What is wrong with a link by itself.
enum LinkRules {
    typealias Problem = Rule.Problem

    static func noLink(_ page: CheckedPage) -> [Problem] {
        page.ours.filter { !$0.isLink }.map { link in
            let name = ToolError.quoted("<\(link.element.name)>")
            return Problem(
                offset: link.element.offset,
                message: "\(name) is no link; a referrer goes on the <a> itself"
            )
        }
    }

    static func noAddress(_ page: CheckedPage) -> [Problem] {
        page.ours.filter { $0.isLink && $0.address == nil }.map { link in
            Problem(
                offset: link.element.offset,
                message: "this link has a referrer and no href; give it the address of an App Store page"
            )
        }
    }

    static func noStorePage(_ page: CheckedPage) -> [Problem] {
        page.ours.filter(\.isLink).compactMap { link in
            guard let address = link.address, case .failure(let error)? = link.page else { return nil }
            return Problem(
                offset: address.offset,
                message:
                    "a link with a referrer leads to an App Store page, and \(ToolError.quoted(address.value)) is none: "
                    + error.description
            )
        }
    }

    static func otherApp(_ page: CheckedPage) -> [Problem] {
        guard let appID = page.appID else { return [] }
        return page.ours.compactMap { link in
            guard let address = link.address, let other = link.storePage?.appID, other != appID else { return nil }
            return Problem(
                offset: address.offset,
                message: "this link leads to app \(other); it should lead to \(appID)"
            )
        }
    }

    static func noReferrer(_ page: CheckedPage) -> [Problem] {
        page.ours.filter { $0.isLink && !$0.hasReferrer }.compactMap { link in
            let attribute = link.element["data-referrer"] ?? link.element["data-referrer-from"]
            return attribute.map { attribute in
                Problem(
                    offset: attribute.offset,
                    message: "\(attribute.name) is empty, so nothing is copied; name who sends people"
                )
            }
        }
    }

    static func staleLink(_ page: CheckedPage) -> [Problem] {
        storeLinks(of: page).compactMap { address, store in
            guard store.item(named: "ed") != nil else { return nil }
            return Problem(
                offset: address.offset,
                message: "this address was copied with somebody's tap in it, which has expired; take its item ed out"
            )
        }
    }

    static func loneToken(_ page: CheckedPage) -> [Problem] {
        storeLinks(of: page).compactMap { address, store in
            let tokens = [("pt", store.item(named: "pt")), ("ct", store.item(named: "ct"))]
            let present = tokens.filter { $0.1?.isEmpty == false }
            guard present.count < 2, tokens.contains(where: { $0.1 != nil }) else { return nil }
            let missing = tokens.filter { $0.1?.isEmpty ?? true }.map(\.0)
            return Problem(
                offset: address.offset,
                message: missing.count == 2
                    ? "pt and ct are empty; give both a value or take them out"
                    : "this address has no \(missing[0]), and the App Store counts no \(present[0].0) without it; give it both"
            )
        }
    }

    static func longToken(_ page: CheckedPage) -> [Problem] {
        storeLinks(of: page).compactMap { address, store in
            guard let count = store.item(named: "ct")?.utf8.count, count > Campaign.maximumTokenLength else {
                return nil
            }
            return Problem(
                offset: address.offset,
                message: "ct has \(count) bytes; the App Store takes at most \(Campaign.maximumTokenLength)"
            )
        }
    }

    /// All links to the store, whether they name a referrer or not.
    private static func storeLinks(of page: CheckedPage) -> [(HTMLElement.Attribute, StorePage)] {
        page.page.links.compactMap { link in
            guard let address = link.address, let store = link.storePage else { return nil }
            return (address, store)
        }
    }
}
