#if canImport(UIKit) || canImport(AppKit)
import Foundation

/// Observes the notifications of an app's state while this object exists.
@MainActor
final class StateNotifications {
    private nonisolated(unsafe) let observers: [any NSObjectProtocol]

    init(
        _ states: KeyValuePairs<Notification.Name, AppActivityState>,
        _ change: @escaping @MainActor (AppActivityState) -> Void
    ) {
        observers = states.map { name, state in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { change(state) }
            }
        }
    }

    deinit {
        observers.forEach { NotificationCenter.default.removeObserver($0) }
    }
}
#endif
