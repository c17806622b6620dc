#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

/// The app's activity, from AppKit's notifications. An app that isn't active is ``AppState/inactive``, never in the
/// background.
@MainActor
public final class SystemActivity: AppActivity {
    private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []

    /// Creates the app's activity. Don't use it in an app extension, which has no application.
    public init() {}

    deinit {
        observers.forEach { NotificationCenter.default.removeObserver($0) }
    }

    /// The app's present state.
    public var state: AppState { NSApplication.shared.isActive ? .active : .inactive }

    /// Begins to call a closure with each new state.
    public func observe(_ change: @escaping @MainActor (AppState) -> Void) {
        let states: [(Notification.Name, AppState)] = [
            (NSApplication.didBecomeActiveNotification, .active),
            (NSApplication.didResignActiveNotification, .inactive),
        ]
        for (name, state) in states {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                    MainActor.assumeIsolated { change(state) }
                }
            )
        }
    }
}
#endif
