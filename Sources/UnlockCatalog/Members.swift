/// The members of an object, which are read one after the other. A member that is `null` counts as missing, and of a
/// repeated member the last one counts.
struct Members {
    private let object: JSONValue
    private var members: [Name: (name: JSONValue, value: JSONValue)] = [:]
    /// The invalid members without which an item stays.
    private(set) var ignored: [WrongMember] = []

    init(_ value: JSONValue) throws(WrongMember) {
        guard let members = value.members else { throw WrongMember("", value, "an object") }
        object = value
        for member in members { self.members[Name(member.name.content)] = member }
    }

    func contains(_ name: String) -> Bool { members[Name(name)].map { !$0.value.isNull } ?? false }

    func optional<Value>(_ name: String, _ form: MemberForm<Value>) throws(WrongMember) -> Value? {
        guard let member = members[Name(name)], !member.value.isNull else { return nil }
        return try form.value(of: member.value, at: name, member.name)
    }

    func required<Value>(_ name: String, _ form: MemberForm<Value>) throws(WrongMember) -> Value {
        guard let value = try optional(name, form) else { throw wrong(name, form.requirement) }
        return value
    }

    /// A member that only affects how an item is shown. If it is invalid, the item stays without it.
    mutating func shown<Value>(_ name: String, _ form: MemberForm<Value>) -> Value? {
        do throws(WrongMember) { return try optional(name, form) } catch { ignored.append(error) }
        return nil
    }

    /// The error about a member that is missing, or that is wrong beside the others.
    func wrong(_ name: String, _ requirement: String) -> WrongMember {
        let member = members[Name(name)]
        return WrongMember(name, isMissing: member?.value.isNull ?? true, member?.name ?? object, requirement)
    }
}

/// A member that is missing or invalid, and its place in the text.
package struct WrongMember: Error, Equatable {
    /// Its path in the entry, such as `files[1].url`; empty for an entry that isn't an object.
    private var path: String
    private let isMissing: Bool
    /// The offset of the member in bytes, or of the object in which it is missing.
    package let offset: Int
    /// The words after "it must be".
    private let requirement: String

    init(_ path: String, isMissing: Bool = false, _ place: JSONValue, _ requirement: String) {
        self.path = path
        self.isMissing = isMissing
        offset = place.range.lowerBound
        self.requirement = requirement
    }

    /// The entry's own member; `nil` for an entry that isn't an object.
    var member: String? { path.isEmpty ? nil : String(path.prefix { $0 != "[" && $0 != "." }) }

    /// The same member, in the value of another one.
    func inside(_ outer: String) -> Self {
        var inner = self
        inner.path = outer + (path.isEmpty || path.hasPrefix("[") ? "" : ".") + path
        return inner
    }

    /// The requirement. It doesn't contain the invalid value.
    package var description: String {
        "\(path.isEmpty ? "it" : "its member \(path)") \(isMissing ? "is missing; it must be" : "must be") \(requirement)"
    }
}

extension JSONValue {
    /// The members of an object, in order, the repeated ones too; `nil` for another value.
    package var members: [(name: JSONValue, value: JSONValue)]? {
        var members: [(JSONValue, JSONValue)] = []
        do { try readObject { members.append(($0, $1)) } } catch { return nil }
        return members
    }
}
