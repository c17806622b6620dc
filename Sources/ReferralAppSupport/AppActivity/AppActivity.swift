/// Reports when the app becomes active, and when it leaves the foreground.
///
/// An app can't read a pasteboard unless it is in the foreground, so a bridge reads only while the app is
/// ``AppActivityState/active``, and checks again each time it becomes active.
@MainActor
public protocol AppActivity: AnyObject {
    /// The app's current state.
    var state: AppActivityState { get }

    /// Calls a closure with each new state, in order.
    func observe(_ change: @escaping @MainActor (AppActivityState) -> Void)
}

/// The state of an app, as in UIKit's `UIApplication.State`.
public enum AppActivityState: Sendable, Hashable {
    /// The app is in the foreground, and receives events.
    case active

    /// The app is in the foreground, but covered, for example by the system's question whether it may paste.
    case inactive

    /// The app isn't in the foreground.
    case background
}
