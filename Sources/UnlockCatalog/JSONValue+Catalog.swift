extension JSONValue {
    /// The members of an object, in order, the repeated ones too; `nil` for another value.
    package var members: [(name: JSONValue, value: JSONValue)]? {
        var members: [(JSONValue, JSONValue)] = []
        do { try readObject { members.append(($0, $1)) } } catch { return nil }
        return members
    }
}
