import ReferralFoundation

/// The user defaults that an app sends, or that it accepts.
///
/// ```swift
/// HandoffContents(schema: 3, files: files, defaults: HandoffDefaults(["theme", "sortsByName"]))     // the free app
/// try HandoffReceiver(route, schemas: 1...3, storage: storage, defaults: HandoffDefaults(["theme"]))  // the paid app
/// ```
///
/// They travel as a property list of at most 1 MiB. The receiver sets the values of its own keys, all or none, when an offer
/// is installed or merged, and ignores the others. A value may be of any type of a property list, so read it with
/// a method that checks the type, such as `string(forKey:)`.
///
/// Never send a secret, such as a token: see <doc:SettingsAndSecrets>.
public struct HandoffDefaults: Sendable {
    /// The names of the keys, sorted.
    public let keys: [String]

    private let store: any DefaultsStore

    /// The name of the property list in a package. It leads into a folder of this library, so no file of an app has it.
    package static let fileName = InstallationFolder.nameBesideFiles + "/defaults.plist"

    /// The largest size of the property list in a package, in bytes: 1 MiB.
    package static let maximumSize = 1 << 20

    package init(_ keys: Set<String>, store: any DefaultsStore) {
        self.keys = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.store = store
    }
}

/// The place of user defaults.
package protocol DefaultsStore: Sendable {
    /// The value of a key; `nil` if there is none.
    func value(of key: String) throws(HandoffError) -> DefaultsValue?

    /// Sets the value of a key, or removes it.
    func set(_ value: DefaultsValue?, of key: String) throws(HandoffError)
}

// MARK: - Sending

extension HandoffDefaults {
    /// The property list with the current values; `nil` if there are none.
    ///
    /// - Throws: ``HandoffError/defaultsTooLarge`` or ``HandoffError/invalidDefaults``.
    func list() throws(HandoffError) -> Data? {
        let members = try current(keys)
        guard !members.isEmpty else { return nil }
        let list = DefaultsValue.dictionary(members).binary
        guard list.count <= Self.maximumSize else { throw .defaultsTooLarge }
        return list
    }

    private func current(_ keys: [String]) throws(HandoffError) -> [DefaultsValue.Member] {
        var members: [DefaultsValue.Member] = []
        for key in keys {
            if let value = try store.value(of: key) { members.append(DefaultsValue.Member(key, value)) }
        }
        return members
    }
}

// MARK: - Receiving

extension HandoffDefaults {
    /// New values, and those that they replace, as property lists. A journal keeps them until they are set or put back.
    struct Change: Codable, Sendable {
        let new: Data
        let old: Data

        /// Whether this app can have written it.
        var isWhole: Bool {
            (try? HandoffDefaults.members(of: new)) != nil && (try? HandoffDefaults.members(of: old)) != nil
        }
    }

    /// Reads the property list of a package, and keeps the members with accepted keys.
    ///
    /// - Throws: ``HandoffError/defaultsTooLarge`` or ``HandoffError/invalidDefaults``.
    static func members(of list: Data, for accepted: HandoffDefaults?) throws(HandoffError) -> [DefaultsValue.Member] {
        guard let members = try DefaultsValue(binary: list, maximumSize: maximumSize).members else {
            throw .invalidDefaults
        }
        return members.filter { accepted?.accepts($0.key) == true }
    }

    private func accepts(_ key: String) -> Bool { keys.contains { $0.utf8.elementsEqual(key.utf8) } }

    /// Prepares to set new values.
    func change(to members: [DefaultsValue.Member]) throws(HandoffError) -> Change {
        let old = try current(members.map(\.key))
        return Change(new: DefaultsValue.dictionary(members).binary, old: DefaultsValue.dictionary(old).binary)
    }

    /// Sets the new values. It can be repeated.
    func set(_ change: Change) throws(HandoffError) {
        for member in try accepted(change.new) { try store.set(member.value, of: member.key) }
    }

    /// Puts the old values back, except for keys that have been given another value since. It can be repeated.
    func restore(_ change: Change) throws(HandoffError) {
        let old = try accepted(change.old)
        for member in try accepted(change.new) {
            // The bytes are compared, since a number may be no number, which doesn't equal itself.
            guard try store.value(of: member.key)?.binary == member.value.binary else { continue }
            try store.set(old.first { $0.key.utf8.elementsEqual(member.key.utf8) }?.value, of: member.key)
        }
    }

    private func accepted(_ list: Data) throws(HandoffError) -> [DefaultsValue.Member] {
        try Self.members(of: list).filter { accepts($0.key) }
    }

    /// Reads a list of this app, in which no object is used twice. So its size limits how many bytes are read.
    private static func members(of list: Data) throws(HandoffError) -> [DefaultsValue.Member] {
        guard let members = try DefaultsValue(binary: list, maximumSize: list.count).members else {
            throw .invalidDefaults
        }
        return members
    }
}
