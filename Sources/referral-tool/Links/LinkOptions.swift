import UnlockCatalog

/// What the options of the command, which `LinksCommand` declares, say about the links.
struct LinkOptions: Sendable {
    let parts: PageParts
    let tap: Timestamp
    let landing: LandingTemplate?
    /// Signs the links; `nil` if they aren't signed.
    let signer: LinkSigner?
    let roles: LinkRoles

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
}
