import UnlockCatalog

/// Makes the links of rows with the library.
struct LinkMaker: Sendable {
    let parts: PageParts
    let tap: Timestamp
    let landing: LandingTemplate?
    /// Signs the links; `nil` if they aren't signed.
    let signer: LinkSigner?
    let roles: LinkRoles

    /// The link for an email or a pasteboard, the address from which a page's snippet makes it (`nil` for a landing
    /// page), and the parameters, including those of a signature.
    typealias Link = (address: String, page: StorePage?, parameters: [ParameterList.Parameter])

    /// The maximum number of cached pages, and the maximum length of an address in the cache.
    private static let (maximumPages, maximumPageLength) = (256, 2_048)

    private var pages: [[PageParts.Part: String]: StorePage] = [:]

    init(
        _ parts: PageParts,
        _ tap: Timestamp,
        _ landing: LandingTemplate?,
        _ signer: LinkSigner?,
        referrerColumn: Name
    ) {
        self.parts = parts
        self.tap = tap
        self.landing = landing
        self.signer = signer
        let target: LinkTarget =
            landing.map { signer == nil ? .landingPage(items: $0.handedOn) : .signedLandingPage } ?? .store
        roles = LinkRoles(target: target, referrer: referrerColumn)
    }

    var target: LinkTarget { roles.target }

    mutating func link(for values: LinkValues) throws(RowError) -> Link {
        guard let referrer = values.referrer, !referrer.isEmpty else { throw RowError("referrer", "missing") }
        var claims: Claims
        do { claims = try Claims(referrer: referrer, parameters: values.parameters) } catch { throw RowError(error) }
        try signer?.sign(&claims, for: try page(for: values.parts).appID)
        // The snippet of a landing page writes the same payload.
        let referral: Referral
        do { referral = try Referral(claims, timestamp: tap) } catch { throw RowError(error) }
        let parameters = claims.parameters.parameters
        if let landing {
            let items = signer == nil ? parameters : try LinkSigner.items(of: claims)
            return (landing.address(for: referrer, items), nil, parameters)
        }
        let page = try page(for: values.parts)
        guard let link = try? ReferralLink(page: page, referral: referral) else {
            throw RowError("the link is longer than 65,536 bytes")
        }
        return (link.address, page, parameters)
    }

    private mutating func page(for overrides: [PageParts.Part: String]) throws(RowError) -> StorePage {
        if let page = pages[overrides] { return page }
        var parts = parts
        for (part, value) in overrides { parts[part] = value }
        // A row's own address has its own slug and storefront.
        if overrides[.page] != nil {
            for part in [PageParts.Part.slug, .storefront] { parts[part] = overrides[part] }
        }
        guard parts.identifyAnApp else { throw RowError("page", "missing, and no --page or --app-id is given") }
        let page = try parts.storePage()
        if page.address.utf8.count <= Self.maximumPageLength {
            if pages.count >= Self.maximumPages { pages.removeAll(keepingCapacity: true) }
            pages[overrides] = page
        }
        return page
    }
}
