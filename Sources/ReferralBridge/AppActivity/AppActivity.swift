/// Tells a bridge when the app becomes active, and when it leaves the front.
///
/// A pasteboard gives nothing to an app that isn't in front, so a bridge reads only while the app is
/// ``AppState/active``, and checks again each time it becomes active.
@MainActor
public protocol AppActivity: AnyObject {
    /// The app's present state.
    var state: AppState { get }

    /// Begins to call a closure with each new state, in order.
    func observe(_ change: @escaping @MainActor (AppState) -> Void)
}

/// The state of an app, as in UIKit's `UIApplication.State`.
public enum AppState: Sendable, Hashable {
    /// In front, and receiving events.
    case active

    /// In front, with something over it, such as the system's question whether the app may paste.
    case inactive

    /// Not in front.
    case background
}
