import ReferralBridge

/// Reports whether the app can read its files. It can't until the device is first unlocked after a restart.
@MainActor
package protocol ProtectedData: AnyObject {
    /// Whether the device's protected data is available now.
    var isAvailable: Bool { get }

    /// Calls a closure each time the data becomes available.
    func observe(_ change: @escaping @MainActor () -> Void)
}
