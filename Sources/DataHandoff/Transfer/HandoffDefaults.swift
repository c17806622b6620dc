public import Foundation
import ReferralFoundation

/// The user defaults that an app sends, or that it accepts.
///
/// ```swift
/// HandoffContents(schema: 3, files: files, defaults: HandoffDefaults(["theme", "sortsByName"]))     // the free app
/// try HandoffReceiver(route, schemas: 1...3, storage: storage, defaults: HandoffDefaults(["theme"]))  // the paid app
/// ```
///
/// They travel as a property list of at most 1 MiB, in Apple's XML format, in which a date has whole seconds. The receiver sets the
/// values of its own keys, all or none, when an offer is installed or merged, and ignores the others. A value may be of any type of a
/// property list, so read it with a method that checks the type, such as `string(forKey:)`.
///
/// Never send a secret, such as a token: see <doc:WhatCanBeAttacked>.
public struct HandoffDefaults: Sendable {
    /// The names of the keys, sorted.
    public let keys: [String]

    // Their documentation states that they are thread-safe, but the type isn't sendable.
    private nonisolated(unsafe) let defaults: UserDefaults

    /// The name of the property list in a package. It leads into a folder of this library, so no file of an app has it.
    package static let fileName = InstallationFolder.nameBesideFiles + "/defaults.plist"

    /// The largest size of the property list in a package, in bytes: 1 MiB.
    package static let maximumSize = 1 << 20

    /// Names keys of user defaults.
    ///
    /// A value that the app has only registered counts as a value.
    ///
    /// - Parameters:
    ///   - keys: The names of the keys.
    ///   - defaults: The user defaults. An app group's need a different reason in the app's privacy manifest.
    public init(_ keys: Set<String>, in defaults: UserDefaults = .standard) {
        self.keys = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.defaults = defaults
    }

    /// The property list with the current values; `nil` if there are none.
    ///
    /// - Throws: ``HandoffError/invalidDefaults``.
    package func list() throws(HandoffError) -> Data? {
        let values = values(of: keys)
        guard !values.isEmpty else { return nil }
        let list = try PropertyList.data(values)
        guard list.count <= Self.maximumSize else { throw .invalidDefaults }
        // A receiver reads no list that is nested more deeply, or that has a longer key.
        _ = try PropertyList.dictionary(list)
        return list
    }

    private func values(of keys: [String]) -> [String: Any] {
        var values: [String: Any] = [:]
        for key in keys { values[key] = defaults.object(forKey: key) }
        return values
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
            (try? PropertyList.dictionary(new)) != nil && (try? PropertyList.dictionary(old)) != nil
        }
    }

    /// The names of the accepted keys in the property list of a package, sorted.
    ///
    /// - Throws: ``HandoffError/invalidDefaults``.
    static func keys(of list: Data, acceptedBy accepted: HandoffDefaults?) throws(HandoffError) -> [String] {
        let values = try PropertyList.dictionary(list)
        return accepted?.keys.filter { values[$0] != nil } ?? []
    }

    /// Prepares to set the accepted values of a list; `nil` if there are none.
    func change(to list: Data) throws(HandoffError) -> Change? {
        let new = try PropertyList.dictionary(list).filter { keys.contains($0.key) }
        guard !new.isEmpty else { return nil }
        return Change(new: try PropertyList.data(new), old: try PropertyList.data(values(of: Array(new.keys))))
    }

    /// Sets the new values. It can be repeated.
    func set(_ change: Change) throws(HandoffError) {
        let new = try PropertyList.dictionary(change.new)
        for key in keys { if let value = new[key] { defaults.set(value, forKey: key) } }
    }

    /// Puts the old values back, except for keys that have been given another value since. It can be repeated.
    func restore(_ change: Change) throws(HandoffError) {
        let (new, old) = (try PropertyList.dictionary(change.new), try PropertyList.dictionary(change.old))
        for key in keys {
            guard let value = new[key], let current = defaults.object(forKey: key),
                try PropertyList.data(current) == PropertyList.data(value)
            else { continue }
            if let value = old[key] { defaults.set(value, forKey: key) } else { defaults.removeObject(forKey: key) }
        }
    }
}
