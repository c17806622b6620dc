/// Reports whether the app can read all of its files. While the device is locked, it can't, but those that were protected until
/// the first unlock after a restart, which is the system's default, can be read even then.
@MainActor
package protocol ProtectedData: AnyObject {
    /// Whether the device's protected data is available now.
    var isAvailable: Bool { get }

    /// Calls a closure each time the data becomes available.
    func observe(_ change: @escaping @MainActor () -> Void)
}
