import UnlockCatalog

/// The target of links.
enum LinkTarget: Equatable {
    case store
    /// A landing page that passes on the items with these names.
    case landingPage(items: [String])
    case signedLandingPage
}

/// What a column, or a member of JSON lines, is for its row's link.
enum LinkRole: Equatable {
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
    private let parts: [Name: PageParts.Part]

    init(target: LinkTarget, referrer: Name) {
        self.target = target
        self.referrer = referrer
        referrerKey = Columns.key(referrer)
        // A landing page has its own link to the store, so columns can't change its parts.
        let parts = target == .store ? PageParts.Part.allCases : []
        self.parts = Dictionary(uniqueKeysWithValues: parts.map { (Name($0.rawValue), $0) })
    }

    func role(of name: Name) -> LinkRole { role(ofKey: Columns.key(name)) }

    /// The role of a column by its key.
    func role(ofKey key: Name) -> LinkRole {
        if key == referrerKey { return .referrer }
        if let part = parts[key] { return .part(part) }
        let text = key.rawValue
        return text.utf8.starts(with: "param.".utf8) ? .parameter(String(text.unicodeScalars.dropFirst(6))) : .other
    }
}

/// The columns of a table that its links use.
struct LinkColumns {
    let roles: LinkRoles
    let used: [(index: Int, name: Name, role: LinkRole)]
    /// The number of bytes of the parameters' names.
    let nameLength: Int

    init(_ names: [Name], _ roles: LinkRoles) {
        self.roles = roles
        used = names.enumerated().map { ($0, $1, roles.role(of: $1)) }.filter { $0.2 != .other }
        nameLength = used.reduce(0) { $0 + $1.name.rawValue.utf8.count }
    }
}
