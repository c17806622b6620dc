#if canImport(CloudKit)
import CloudKit

/// Keeps the user's codes in iCloud's key-value store, under the key `ReferralBridge.inviteCodes`.
///
/// The app needs the entitlement `com.apple.developer.ubiquity-kvstore-identifier`. Without it, each device has a code of its
/// own.
public struct UbiquitousCodes: SharedCodes {
    private static let key = "ReferralBridge.inviteCodes"

    /// Creates a store for the user who is signed in to iCloud.
    public init() {
        // Begins to receive what other devices save.
        NSUbiquitousKeyValueStore.default.synchronize()
    }

    /// The codes that a device saved last.
    public func load() -> String? { NSUbiquitousKeyValueStore.default.string(forKey: Self.key) }

    /// Saves codes for all devices.
    public func save(_ text: String) { NSUbiquitousKeyValueStore.default.set(text, forKey: Self.key) }
}
#endif
