import WireText

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What there is to have, as JSON from the web or from the app itself.
///
/// ```swift
/// let catalog = try Catalog(json: data)
/// for rejection in catalog.rejections { log(rejection.description) }
/// ```
///
/// Unknown members are ignored. An item or a reward that is wrong is left out by itself, with a reason in ``rejections``.
public struct Catalog: Sendable, Equatable {
    /// The largest catalog, in bytes: 1 MiB.
    public static let maximumLength = 1 << 20

    /// Which of two catalogs is newer.
    public let revision: Int

    /// When it was issued, if it says so.
    public let issued: Date?

    /// Until when it should be asked for again. It still counts after that.
    public let staleAfter: Date?

    /// The items, in the catalog's order.
    public let items: [CatalogItem]

    /// The rewards, in the catalog's order.
    public let rewards: [CatalogReward]

    /// What was left out, and why.
    public let rejections: [Rejection]

    /// Where the items and the rewards are, by their names.
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
        (revision, issued, staleAfter) = (head.revision, head.issued, head.staleAfter)
        var rejections: [Rejection] = []
        // A transaction names a product only, so a second item with the same one could never be told from the first.
        items = Self.read(head.items, CatalogItem.init, unique: [("id", \.id), ("product", \.product)]) {
            rejections.append(Rejection(.item, $0, $1))
        }
        rewards = Self.read(head.rewards, CatalogReward.init, unique: [("id", \.id)]) {
            rejections.append(Rejection(.reward, $0, $1))
        }
        self.rejections = rejections
        lists = Lists(items, rewards)
    }

    /// Whether it should have been asked for again: after ``staleAfter``, not yet at that moment.
    public func isStale(at date: Date) -> Bool { staleAfter.map { date > $0 } ?? false }

    /// Reads the entries that are right. Of two with the same value of a unique member the first one stays. An entry that is
    /// left out reserves nothing.
    private static func read<Entry>(
        _ values: [JSONValue],
        _ entry: (JSONValue) throws(WrongMember) -> Entry,
        unique: [(member: String, value: (Entry) -> String?)],
        reject: (Int, WrongMember) -> Void
    ) -> [Entry] {
        var entries: [Entry] = []
        var seen = unique.map { _ in Set<Name>() }
        for (index, value) in values.enumerated() {
            do throws(WrongMember) {
                let entry = try entry(value)
                let names = unique.map { $0.value(entry).map { Name($0) } }
                for (place, name) in names.enumerated() where name.map(seen[place].contains) ?? false {
                    throw .notUnique(unique[place].member)
                }
                for (place, name) in names.enumerated() { if let name { seen[place].insert(name) } }
                entries.append(entry)
            } catch {
                reject(index, error)
            }
        }
        return entries
    }
}

extension Catalog {
    /// An item or a reward that was left out.
    public struct Rejection: Sendable, Equatable, CustomStringConvertible {
        /// The list that it is in.
        public enum List: String, Sendable {
            /// The catalog's `items`.
            case item
            /// The catalog's `rewards`.
            case reward
        }

        /// The list that it is in.
        public let list: List
        /// Its place in the list, from 0.
        public let index: Int
        /// The member that is wrong; `nil` if the entry isn't an object.
        public var member: String? { wrongMember.name }

        /// What is wrong with it.
        package let wrongMember: WrongMember

        init(_ list: List, _ index: Int, _ member: WrongMember) {
            (self.list, self.index, wrongMember) = (list, index, member)
        }

        /// A sentence fit for a log: what is left out, and what would be right. It doesn't contain the wrong value.
        public var description: String { description(value: nil) }

        /// The sentence with the value as the catalog has it.
        package func description(value: String?) -> String {
            "The \(list.rawValue) at index \(index) is left out: \(wrongMember.description(value: value))."
        }
    }

    /// A member that is missing, or of another form than it must be.
    package struct WrongMember: Error, Equatable {
        /// Its name; `nil` for an entry that isn't an object.
        package let name: String?
        /// Whether the member isn't there, or is `null`.
        package var isMissing = false
        /// The words after "it must be".
        let requirement: String

        /// An entry that isn't an object.
        static var notAnObject: Self { WrongMember(name: nil, requirement: "an object") }

        /// A member with a value that an entry before has.
        static func notUnique(_ name: String) -> Self {
            WrongMember(name: name, requirement: "another one than in each entry before it")
        }

        /// What is wrong, with the value as the catalog has it, and what would be right.
        package func description(value: String?) -> String {
            let subject = name.map { "its member \($0)" } ?? "it"
            let problem = isMissing ? "missing" : value
            return subject + (problem.map { " is \($0); it" } ?? "") + " must be \(requirement)"
        }
    }

    /// The member of a catalog that makes the app refuse it as a whole; `nil` if it isn't refused for a member.
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

        init(_ members: Members) throws(WrongMember) {
            _ = try members.required(Self.format, .exactly(1))
            revision = try members.required("revision", .atLeast(0))
            issued = try members.optional("issued", .date)
            staleAfter = try members.optional("staleAfter", .date)
            items = try members.required("items", .list)
            rewards = try members.optional("rewards", .list) ?? []
        }
    }

    /// The members of an object. `null` is a member that is missing.
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

/// Why a catalog is refused as a whole.
public enum CatalogError: Error, Sendable, Equatable {
    /// It has more than 1 MiB.
    case tooLarge
    /// It isn't UTF-8.
    case notUTF8
    /// It isn't a JSON object with the members that a catalog needs.
    case notAnObject
    /// It is of another format than this version reads.
    case unknownFormat
}

extension CatalogError: CustomStringConvertible {
    /// A sentence fit for a log.
    public var description: String {
        switch self {
        case .tooLarge: "The catalog has more than \(Catalog.maximumLength) bytes."
        case .notUTF8: "The catalog is not UTF-8."
        case .notAnObject: "The catalog is not a JSON object with a revision, items and valid times."
        case .unknownFormat: "The catalog is of a format that this version does not read."
        }
    }
}

extension CatalogError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
