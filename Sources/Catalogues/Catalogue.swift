import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What there is to have, as JSON from the web or from the app itself.
///
/// ```swift
/// let catalogue = try Catalogue(json: data)
/// for rejection in catalogue.rejections { log(rejection.description) }
/// ```
///
/// Unknown members are ignored. An item or a reward that is wrong is left out by itself, with a reason in ``rejections``.
public struct Catalogue: Sendable, Equatable {
    /// The largest catalogue, in bytes: 1 MiB.
    public static let maximumLength = 1 << 20

    /// Which of two catalogues is newer.
    public let revision: Int

    /// When it was issued, if it says so.
    public let issued: Date?

    /// Until when it should be asked for again. It still counts after that.
    public let staleAfter: Date?

    /// The items, in the catalogue's order.
    public let items: [CatalogueItem]

    /// The rewards, in the catalogue's order.
    public let rewards: [CatalogueReward]

    /// What was left out, and why.
    public let rejections: [Rejection]

    /// Where the items and the rewards are, by their names.
    let lists: Lists

    /// Reads a catalogue.
    ///
    /// - Throws: ``CatalogueError``.
    public init(json: Data) throws(CatalogueError) {
        guard json.count <= Self.maximumLength else { throw .tooLarge }
        guard String(data: json, encoding: .utf8) != nil else { throw .notUTF8 }
        let object = Array(json).withUnsafeBufferPointer { try? JSONValue(object: $0).object }
        guard let members = object.map(Members.init) else { throw .notAnObject }
        guard members["format"]?.wholeNumber == 1 else { throw .unknownFormat }
        let entries: [JSONValue]
        let rewardEntries: [JSONValue]
        do throws(WrongMember) {
            revision = try members.required("revision") { $0.wholeNumber.flatMap { $0 < 0 ? nil : $0 } }
            issued = try members.optional("issued", \.date)
            staleAfter = try members.optional("staleAfter", \.date)
            entries = try members.required("items", \.array)
            rewardEntries = try members.optional("rewards", \.array) ?? []
        } catch {
            throw .notAnObject
        }
        var rejections: [Rejection] = []
        // A transaction names a product only, so a second item with the same one could never be told from the first.
        items = Self.read(entries, CatalogueItem.init, unique: [("id", \.id), ("product", \.product)]) {
            rejections.append(Rejection(.item, $0, $1))
        }
        rewards = Self.read(rewardEntries, CatalogueReward.init, unique: [("id", \.id)]) {
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
        reject: (Int, String?) -> Void
    ) -> [Entry] {
        var entries: [Entry] = []
        var seen = unique.map { _ in Set<Name>() }
        for (index, value) in values.enumerated() {
            do throws(WrongMember) {
                let entry = try entry(value)
                let names = unique.map { $0.value(entry).map { Name($0) } }
                for (place, name) in names.enumerated() where name.map(seen[place].contains) ?? false {
                    throw WrongMember(name: unique[place].member)
                }
                for (place, name) in names.enumerated() { if let name { seen[place].insert(name) } }
                entries.append(entry)
            } catch {
                reject(index, error.name)
            }
        }
        return entries
    }
}

extension Catalogue {
    /// An item or a reward that was left out.
    public struct Rejection: Sendable, Equatable, CustomStringConvertible {
        /// The list that it is in.
        public enum List: String, Sendable {
            /// The catalogue's `items`.
            case item
            /// The catalogue's `rewards`.
            case reward
        }

        /// The list that it is in.
        public let list: List
        /// Its place in the list, from 0.
        public let index: Int
        /// The member that is wrong; `nil` if it is no object.
        public let member: String?

        init(_ list: List, _ index: Int, _ member: String?) {
            (self.list, self.index, self.member) = (list, index, member)
        }

        /// A sentence fit for a log.
        public var description: String {
            "The \(list.rawValue) at index \(index) is left out: "
                + (member.map { "its member \($0) is wrong." } ?? "it is no object.")
        }
    }

    struct WrongMember: Error {
        let name: String?
    }

    /// The members of an object. `null` is a member that is missing.
    struct Members {
        private let object: [Name: JSONValue]

        init(_ object: [Name: JSONValue]) { self.object = object }

        subscript(name: String) -> JSONValue? {
            let value = object[Name(name)]
            return if case .null = value { nil } else { value }
        }

        func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(WrongMember) -> Value? {
            guard let member = self[name] else { return nil }
            guard let value = read(member) else { throw WrongMember(name: name) }
            return value
        }

        func required<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(WrongMember) -> Value {
            guard let value = try optional(name, read) else { throw WrongMember(name: name) }
            return value
        }
    }
}

/// Why a catalogue is refused as a whole.
public enum CatalogueError: Error, Sendable, Equatable {
    /// It has more than 1 MiB.
    case tooLarge
    /// It isn't UTF-8.
    case notUTF8
    /// It isn't a JSON object with the members that a catalogue needs.
    case notAnObject
    /// It is of another format than this version reads.
    case unknownFormat
}

extension CatalogueError: CustomStringConvertible {
    /// A sentence fit for a log.
    public var description: String {
        switch self {
        case .tooLarge: "The catalogue has more than \(Catalogue.maximumLength) bytes."
        case .notUTF8: "The catalogue is not UTF-8."
        case .notAnObject: "The catalogue is not a JSON object with a revision, items and valid times."
        case .unknownFormat: "The catalogue is of a format that this version does not read."
        }
    }
}

private extension JSONValue {
    var date: Date? { string.flatMap { Timestamp(iso8601: $0)?.date } }
}
