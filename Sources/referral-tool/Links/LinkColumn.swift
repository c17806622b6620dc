import UnlockCatalog

/// The target of links.
enum LinkTarget: Equatable {
    case store
    /// A landing page that passes on the items with these names.
    case landingPage(items: [String])
    case signedLandingPage
}

/// The role of a column in its row's link.
enum LinkColumn: Equatable {
    case referrer
    /// Overrides the option of the same name.
    case part(PageParts.Part)
    case parameter(String)
    case other
}

/// The roles of the columns by their names.
struct LinkRoles: Sendable {
    let target: LinkTarget
    /// The column with the referrers.
    let referrer: Name
    let referrerKey: Name

    init(target: LinkTarget, referrer: Name) {
        self.target = target
        self.referrer = referrer
        referrerKey = Columns.key(referrer)
    }

    func role(of name: Name) -> LinkColumn { role(ofKey: Columns.key(name)) }

    /// The role of a column by its key. A landing page has its own link to the store, so columns can't change its parts.
    func role(ofKey key: Name) -> LinkColumn {
        if key == referrerKey { return .referrer }
        if target == .store, let part = PageParts.Part(key) { return .part(part) }
        let text = key.rawValue
        return text.utf8.starts(with: "param.".utf8) ? .parameter(String(text.unicodeScalars.dropFirst(6))) : .other
    }
}
