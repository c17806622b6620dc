extension JSONValue {
    /// The members of an object. Of a repeated member the last one counts.
    var object: [Name: JSONValue]? {
        var members: [Name: JSONValue] = [:]
        do { try readObject { members[Name($0.content)] = $1 } } catch { return nil }
        return members
    }

    /// A string that can be a name.
    var name: String? { string.flatMap { $0.isName ? $0 : nil } }

    /// Strings that can be names.
    var names: [String]? {
        array.flatMap { values in
            let names = values.compactMap(\.name)
            return names.count == values.count ? names : nil
        }
    }
}
