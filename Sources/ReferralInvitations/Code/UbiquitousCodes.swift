#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// Keeps the user's codes in iCloud's key-value store, under the key `ReferralBridge.inviteCodes`.
///
/// The app needs the entitlement `com.apple.developer.ubiquity-kvstore-identifier`. Without it, each device has a code of its
/// own.
public struct UbiquitousCodes: SharedCodes {
    private static let key = "ReferralBridge.inviteCodes"

    /// Creates a store for the user who is signed in to iCloud.
    public init() {}

    /// The codes that a device saved last.
    public func load() -> String? { NSUbiquitousKeyValueStore.default.string(forKey: Self.key) }

    /// Saves codes for all devices.
    public func save(_ text: String) { NSUbiquitousKeyValueStore.default.set(text, forKey: Self.key) }

    /// A value each time another device has saved something.
    public func changes() -> AsyncStream<Void> {
        AsyncStream { continuation in
            let observer = NotificationCenter.default.addObserver(
                forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
                object: nil,
                queue: nil
            ) { _ in continuation.yield() }
            nonisolated(unsafe) let token = observer
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
            // Begins to receive changes.
            NSUbiquitousKeyValueStore.default.synchronize()
        }
    }
}
#endif
