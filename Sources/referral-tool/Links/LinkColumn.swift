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

/// The values of a row's link.
struct LinkValues {
    private(set) var referrer: String?
    private(set) var parts: [PageParts.Part: String] = [:]
    private(set) var parameters: [String: String] = [:]
    /// Whether an object already has a member for the link.
    private(set) var hasLink = false

    /// Reads a row of cells. An empty cell has no value.
    init(
        _ scanner: borrowing RowScanner,
        _ columns: [LinkColumn],
        names: [Name],
        of target: LinkTarget
    ) throws(RowError) {
        for (index, column) in columns.enumerated() where column != .other {
            let cell = scanner.cells[index]
            guard let text = scanner.text(of: cell) else { throw RowError(names[index], RowError.notUTF8Cell) }
            if !text.isEmpty { try set(column, text, of: target) }
        }
    }

    /// Reads an object. `null` isn't a value, and an empty string is one only for a parameter.
    init(_ object: JSONRow, _ roles: LinkRoles, _ known: inout KnownMembers) throws(RowError) {
        let target = roles.target
        var seen: Set<Name> = []
        for (index, member) in object.members.enumerated() {
            let (_, key, column, isIgnored) = known.member(member.name, at: index, roles)
            if isIgnored {
                hasLink = hasLink || key == LinksCommand.column
                continue
            }
            guard seen.insert(key).inserted else { throw RowError(member.name, "it is given twice") }
            switch (column, member.value) {
            case (_, .null):
                break
            case (.other, .other(let text)) where text.utf8.first == ASCII.openBrace:
                try setParameters(text, of: target)
            case (.other, _):
                throw RowError(member.name, "it must be an object of strings")
            case (_, .string(let text)):
                if case .parameter(let name) = column, parameters[name] != nil { throw Self.twice(name) }
                try set(column, text, of: target)
            case (_, .other):
                throw RowError(member.name, "it must be a string")
            }
        }
    }

    private mutating func setParameters(_ object: String, of target: LinkTarget) throws(RowError) {
        var object = object
        // The object was already parsed as a part of the row.
        for member in object.withUTF8({ try? JSONRow.members(of: $0) }) ?? [] {
            let name = member.name.rawValue
            guard !Columns.isTooLong(member.name) else { throw RowError("parameters.\(name)", Columns.tooLongName) }
            guard case .string(let text) = member.value else {
                throw RowError("parameters.\(name)", "it must be a string")
            }
            guard parameters[name] == nil else { throw Self.twice(name) }
            try set(.parameter(name), text, of: target)
        }
    }

    private static func twice(_ name: String) -> RowError { RowError("param.\(name)", "it is given twice") }

    private mutating func set(_ column: LinkColumn, _ text: String, of target: LinkTarget) throws(RowError) {
        switch column {
        case .referrer: referrer = text
        case .part(let part): parts[part] = text.isEmpty ? nil : text
        case .parameter(let name):
            if case .landingPage(let items) = target {
                if text.isEmpty { return }
                guard items.contains(name) else {
                    throw RowError(
                        "param.\(name)",
                        "a link to a landing page can contain it only if --item names it or if the link is signed; "
                            + "give --item \(name: name) or --sign, or omit --landing"
                    )
                }
            }
            parameters[name] = text
        case .other: break
        }
    }
}
