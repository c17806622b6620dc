import UnlockCatalog

/// The roles of the members of JSON lines, cached by position, since most rows have the same members in the same order.
struct KnownMembers {
    typealias Member = (name: Name, key: Name, column: LinkColumn, isIgnored: Bool)

    private var members: [Member] = []
    /// The members without a role.
    private(set) var ignored = IgnoredNames()

    /// The role of a member at a position in its object.
    mutating func member(_ name: Name, at index: Int, _ roles: LinkRoles) -> Member {
        if index < members.count, members[index].name == name { return members[index] }
        let key = Columns.key(name)
        let column = roles.role(ofKey: key)
        let isIgnored = column == .other && key != "parameters"
        if isIgnored { ignored.insert(name) }
        let member = (name, key, column, isIgnored)
        if index < members.count { members[index] = member } else { members.append(member) }
        return member
    }
}
