#if canImport(UIKit) || canImport(AppKit)
public import Foundation

extension HandoffDefaults {
    /// Names keys of user defaults.
    ///
    /// A value that the app has only registered counts as a value.
    ///
    /// - Parameters:
    ///   - keys: The names of the keys.
    ///   - defaults: The user defaults. An app group's need a different reason in the app's privacy manifest.
    public init(_ keys: Set<String>, in defaults: UserDefaults = .standard) {
        self.init(keys, store: SystemDefaults(defaults: defaults))
    }
}

/// User defaults. Their documentation states that they are thread-safe, but the type isn't sendable.
private struct SystemDefaults: DefaultsStore, @unchecked Sendable {
    let defaults: UserDefaults

    func value(of key: String) throws(HandoffError) -> DefaultsValue? {
        guard let object = defaults.object(forKey: key) else { return nil }
        // Only Foundation can tell a number from a Boolean value in it.
        let list = try? PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
        guard let list, case .array(let values) = try DefaultsValue(binary: list) else { throw .invalidDefaults }
        return values.first
    }

    func set(_ value: DefaultsValue?, of key: String) throws(HandoffError) {
        guard let value else { return defaults.removeObject(forKey: key) }
        let list = DefaultsValue.array([value]).binary
        let objects = try? PropertyListSerialization.propertyList(from: list, format: nil)
        guard let object = (objects as? [Any])?.first else { throw .invalidDefaults }
        defaults.set(object, forKey: key)
    }
}
#endif
