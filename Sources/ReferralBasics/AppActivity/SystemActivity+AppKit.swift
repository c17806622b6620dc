#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

/// The app's activity, from AppKit's notifications. An app that isn't active is ``AppActivityState/inactive``, never in the
/// background.
@MainActor
public final class SystemActivity: AppActivity {
    private var notifications: StateNotifications?

    /// Creates the app's activity. Don't use it in an app extension, which has no application.
    public init() {}

    /// The app's current state.
    public var state: AppActivityState { NSApplication.shared.isActive ? .active : .inactive }

    /// Calls a closure with each new state.
    public func observe(_ change: @escaping @MainActor (AppActivityState) -> Void) {
        notifications = StateNotifications(
            [
                NSApplication.didBecomeActiveNotification: .active,
                NSApplication.didResignActiveNotification: .inactive,
            ],
            change
        )
    }
}
#endif
