#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The app's activity, from UIKit's notifications, which every app gets: with scenes and in SwiftUI too.
@MainActor
public final class SystemActivity: AppActivity {
    private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []

    /// Creates the app's activity. Don't use it in an app extension, which has no application.
    public init() {}

    deinit {
        observers.forEach { NotificationCenter.default.removeObserver($0) }
    }

    /// The app's present state.
    public var state: AppState {
        switch UIApplication.shared.applicationState {
        case .active: .active
        case .background: .background
        default: .inactive
        }
    }

    /// Begins to call a closure with each new state.
    public func observe(_ change: @escaping @MainActor (AppState) -> Void) {
        let states: [(Notification.Name, AppState)] = [
            (UIApplication.didBecomeActiveNotification, .active),
            (UIApplication.willResignActiveNotification, .inactive),
            (UIApplication.didEnterBackgroundNotification, .background),
            (UIApplication.willEnterForegroundNotification, .inactive),
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
