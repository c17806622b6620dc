/// What a column, or a member of JSON lines, is for its row's link.
enum LinkRole: Equatable {
    case referrer
    /// Overrides the option of the same name.
    case part(PageParts.Part)
    case parameter(String)
    case other
}

/// What the options of the command, which `LinksCommand` declares, say about the links.
struct LinkOptions: Sendable {
    let parts: PageParts
    let tap: Timestamp
    let landing: LandingTemplate?
    /// Signs the links; `nil` if they aren't signed.
    let signer: LinkSigner?
    /// The column with the referrers.
    let referrer: Name

    func role(of name: Name) -> LinkRole {
        let key = Columns.key(name)
        if key == Columns.key(referrer) { return .referrer }
        // A landing page has its own link to the store, so columns can't change its parts.
        if landing == nil, let part = PageParts.Part(rawValue: key.rawValue) { return .part(part) }
        let text = key.rawValue
        return text.utf8.starts(with: "param.".utf8) ? .parameter(String(text.unicodeScalars.dropFirst(6))) : .other
    }

    /// Whether a payload has a member of its own with the name. Swift compares strings by sorting their marks, so bytes are compared.
    static func isReserved(_ name: String) -> Bool {
        Referral.reservedParameterNames.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Whether the links contain a parameter with a value. Throws if they can't.
    func contain(parameter name: String, _ value: Bytes) throws(RowError) -> Bool {
        guard let landing, signer == nil else { return true }
        guard !value.isEmpty else { return false }
        if landing.handedOn.contains(name) { return true }
        throw RowError(
            "param.\(name)",
            "a link to a landing page can contain it only if --item names it or if the link is signed; "
                + "give --item \(name: name) or --sign, or omit --landing"
        )
    }
}
