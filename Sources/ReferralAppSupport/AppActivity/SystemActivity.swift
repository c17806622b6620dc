#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation

/// The app's activity, from the notifications that every app receives, including apps with scenes and SwiftUI apps.
@MainActor
public final class SystemActivity: AppActivity {
    private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []

    /// Creates the app's activity. Don't use it in an extension of a Mac app, which has no application.
    public init() {}

    /// Calls a closure with each new state.
    public func observe(_ change: @escaping @MainActor (AppActivityState) -> Void) {
        observers += Self.notifications.map { name, state in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { change(state) }
            }
        }
    }

    deinit { observers.forEach { NotificationCenter.default.removeObserver($0) } }
}
#endif
