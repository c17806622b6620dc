public import ReferralFoundation

/// The available items and rewards, read from JSON on the web or in the app.
///
/// ```swift
/// let catalog = try ShopCatalog(json: data)
/// for rejection in catalog.rejections { log(rejection.description) }
/// ```
///
/// Unknown members are ignored. An invalid item, reward or section is left out by itself, with a reason in ``rejections``. So is
/// an invalid member that only affects how an item is shown, such as a picture.
public struct ShopCatalog: Sendable, Equatable {
    /// The largest catalog, in bytes: 1 MiB.
    public static let maximumLength = 1 << 20

    /// The largest step from one revision to the next that an app accepts: milliseconds since 1970 are lower until 2039.
    package static let maximumRevisionStep = 1 << 41

    /// The revision. Of two catalogs, the one with the higher revision is newer.
    public let revision: Int

    /// The date at which the catalog was issued, if it has one.
    public let issued: Date?

    /// The date after which the catalog should be loaded again. It remains valid after that.
    public let staleAfter: Date?

    /// The items, in the catalog's order.
    public let items: [CatalogItem]

    /// The rewards, in the catalog's order.
    public let rewards: [CatalogReward]

    /// The sections of the shop, in order; empty if it has none.
    public let sections: [CatalogSection]

    /// The items, members of items, rewards and sections that were left out, with the reasons.
    public let rejections: [Rejection]

    /// The positions of the items and the rewards, by their names.
    let lists: Lists

    /// Reads a catalog.
    ///
    /// - Throws: ``CatalogError``.
    public init(json: Data) throws(CatalogError) {
        guard json.count <= Self.maximumLength else { throw .tooLarge }
        guard String(data: json, encoding: .utf8) != nil else { throw .notUTF8 }
        let catalog = Self.withMembers(of: json) { members in
            Result<Self, CatalogError> { () throws(CatalogError) in try Self(members) }
        }
        guard let catalog else { throw .notAnObject }
        self = try catalog.get()
    }

    private init(_ members: Members) throws(CatalogError) {
        let head: Head
        do throws(WrongMember) { head = try Head(members) } catch {
            throw error.name == Head.format ? .unknownFormat : .notAnObject
        }
        revision = head.revision
        issued = head.issued
        staleAfter = head.staleAfter
        var rejections: [Rejection] = []
        // A transaction names only a product, so two items with the same product couldn't be distinguished.
        items = Self.read(
            head.items,
            CatalogItem.init,
            unique: [
                ("id", \.id.rawValue), ("product", \.productID?.rawValue),
                ("grants", { $0.kind.isAllowance ? $0.grants.first?.rawValue : nil }),
            ]
        ) {
            rejections.append(Rejection(.item, $0, $1, isMemberOnly: $2))
        }
        let reward = { (value: JSONValue, _: (WrongMember) -> Void) throws(WrongMember) in try CatalogReward(value) }
        rewards = Self.read(head.rewards, reward, unique: [("id", \.id.rawValue)]) {
            rejections.append(Rejection(.reward, $0, $1, isMemberOnly: $2))
        }
        let section = { (value: JSONValue, _: (WrongMember) -> Void) throws(WrongMember) in try CatalogSection(value) }
        sections = Self.read(head.sections, section, unique: []) {
            rejections.append(Rejection(.section, $0, $1, isMemberOnly: $2))
        }
        self.rejections = rejections
        lists = Lists(items, rewards)
    }

    /// Whether the catalog should be loaded again: after ``staleAfter``, but not at exactly that moment.
    public func isStale(at date: Date) -> Bool { staleAfter.map { date > $0 } ?? false }

    /// Reads the valid entries. If two entries have the same value of a unique member, the second one is left out. The
    /// values of an entry that is left out may be used again.
    private static func read<Entry>(
        _ values: [JSONValue],
        _ entry: (JSONValue, _ ignore: (WrongMember) -> Void) throws(WrongMember) -> Entry,
        unique: [(member: String, value: (Entry) -> String?)],
        reject: (_ index: Int, WrongMember, _ isMemberOnly: Bool) -> Void
    ) -> [Entry] {
        var entries: [Entry] = []
        var seen = unique.map { _ in Set<Name>() }
        for (index, value) in values.enumerated() {
            var ignored: [WrongMember] = []
            do throws(WrongMember) {
                let entry = try entry(value) { ignored.append($0) }
                let names = unique.map { $0.value(entry).map { Name($0) } }
                for (place, name) in names.enumerated() where name.map(seen[place].contains) ?? false {
                    throw .notUnique(unique[place].member)
                }
                for (place, name) in names.enumerated() { if let name { seen[place].insert(name) } }
                entries.append(entry)
                for member in ignored { reject(index, member, true) }
            } catch {
                reject(index, error, false)
            }
        }
        return entries
    }
}

extension ShopCatalog {
    /// An item, a member of an item, a reward or a section that was left out.
    public struct Rejection: Sendable, Equatable, CustomStringConvertible {
        /// The list that it is in.
        public enum List: String, Sendable {
            /// The catalog's `items`.
            case item
            /// The catalog's `rewards`.
            case reward
            /// The catalog's `sections`.
            case section
        }

        /// The list that it is in.
        public let list: List
        /// Its place in the list, from 0.
        public let index: Int
        /// The invalid member; `nil` if the entry isn't an object.
        public var member: String? { wrongMember.name }
        /// Whether only the member is left out, because it doesn't affect more than how the item is shown.
        public let isMemberOnly: Bool

        /// The invalid member, and its requirement.
        package let wrongMember: WrongMember

        init(_ list: List, _ index: Int, _ member: WrongMember, isMemberOnly: Bool) {
            self.list = list
            self.index = index
            wrongMember = member
            self.isMemberOnly = isMemberOnly
        }

        /// A sentence suitable for a log: the entry that is left out, and the requirement. It doesn't contain the
        /// invalid value.
        public var description: String { description(value: nil) }

        /// The sentence, with the invalid value from the catalog, and with the part of the member that is invalid.
        package func description(value: String?, part: (name: String, member: WrongMember)? = nil) -> String {
            let subject = "The \(list.rawValue) at index \(index)"
            let effect = isMemberOnly ? "stays without \(member ?? "a member")" : "is left out"
            let reason = part.map { " because of \($0.name)" } ?? ""
            return "\(subject) \(effect)\(reason): \((part?.member ?? wrongMember).description(value: value))."
        }
    }

    /// A member that is missing or invalid.
    package struct WrongMember: Error, Equatable {
        /// Its name; `nil` for an entry that isn't an object.
        package let name: String?
        /// Whether the member isn't there, or is `null`.
        package var isMissing = false
        /// The words after "it must be".
        let requirement: String

        /// An entry that isn't an object.
        static var notAnObject: Self { WrongMember(name: nil, requirement: "an object") }

        /// The path of a file that isn't safe or, on some file systems, isn't different from another one.
        package static var unsafePath: Self {
            WrongMember(
                name: "path",
                requirement: "a safe path that isn't inside another one, and differs from the others even in lower case"
            )
        }

        /// A duplicate: a member whose value an earlier entry has already.
        static func notUnique(_ name: String) -> Self {
            WrongMember(name: name, requirement: "different in each entry")
        }

        /// An item that can't be free.
        static var notFree: Self {
            WrongMember(name: "free", requirement: "false for this kind, since the store remembers the purchase")
        }

        /// A sentence with the invalid value from the catalog, and the requirement.
        package func description(value: String?) -> String {
            let subject = name.map { "its member \($0)" } ?? "it"
            let problem = isMissing ? "missing" : value
            return subject + (problem.map { " is \($0); it" } ?? "") + " must be \(requirement)"
        }
    }

    /// The invalid member for which the app rejects a whole catalog; `nil` if there is none.
    package static func wrongMember(in json: Data) -> WrongMember? {
        let wrong = withMembers(of: json) { members in
            do throws(WrongMember) { _ = try Head(members) } catch { return error as WrongMember? }
            return nil
        }
        return wrong ?? nil
    }

    /// Runs a function with the members of an object; `nil` if the text isn't one.
    private static func withMembers<Value>(of json: Data, _ body: (Members) -> Value) -> Value? {
        Array(json).withUnsafeBufferPointer { bytes in
            (try? JSONValue(object: bytes))?.object.map { body(Members($0)) }
        }
    }

    /// The catalog's own members.
    private struct Head {
        static let format = "format"

        let revision: Int
        let issued: Date?
        let staleAfter: Date?
        let items: [JSONValue]
        let rewards: [JSONValue]
        let sections: [JSONValue]

        init(_ members: Members) throws(WrongMember) {
            _ = try members.required(Self.format, .exactly(1))
            revision = try members.required("revision", .atLeast(0))
            issued = try members.optional("issued", .date)
            staleAfter = try members.optional("staleAfter", .date)
            items = try members.required("items", .list)
            rewards = try members.optional("rewards", .list) ?? []
            sections = try members.optional("sections", .list) ?? []
        }
    }

    /// The members of an object. A member that is `null` counts as missing.
    struct Members {
        private let object: [Name: JSONValue]

        init(_ object: [Name: JSONValue]) { self.object = object }

        subscript(name: String) -> JSONValue? {
            object[Name(name)].flatMap { $0.isNull ? nil : $0 }
        }

        func optional<Value>(_ name: String, _ form: MemberForm<Value>) throws(WrongMember) -> Value? {
            guard let member = self[name] else { return nil }
            guard let value = form.read(member) else { throw WrongMember(name: name, requirement: form.requirement) }
            return value
        }

        func required<Value>(_ name: String, _ form: MemberForm<Value>) throws(WrongMember) -> Value {
            guard let value = try optional(name, form) else {
                throw WrongMember(name: name, isMissing: true, requirement: form.requirement)
            }
            return value
        }
    }
}

/// Why a whole catalog is rejected.
public enum CatalogError: Error, Sendable, Equatable {
    /// It is larger than 1 MiB.
    case tooLarge
    /// It isn't UTF-8.
    case notUTF8
    /// It isn't a JSON object with the members that a catalog needs.
    case notAnObject
    /// This version doesn't read the catalog's format.
    case unknownFormat
}

extension CatalogError: CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String {
        switch self {
        case .tooLarge: "The catalog has more than \(ShopCatalog.maximumLength) bytes."
        case .notUTF8: "The catalog is not UTF-8."
        case .notAnObject: "The catalog is not a JSON object with a revision, items and valid times."
        case .unknownFormat: "This version can't read the catalog's format."
        }
    }
}

extension CatalogError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
