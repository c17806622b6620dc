#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The app's activity, from UIKit's notifications, which every app receives, including apps with scenes and SwiftUI
/// apps.
@MainActor
public final class SystemActivity: AppActivity {
    private var notifications: StateNotifications?

    /// Creates the app's activity. Don't use it in an app extension, which has no application.
    public init() {}

    /// The app's current state.
    public var state: AppState {
        switch UIApplication.shared.applicationState {
        case .active: .active
        case .background: .background
        default: .inactive
        }
    }

    /// Calls a closure with each new state.
    public func observe(_ change: @escaping @MainActor (AppState) -> Void) {
        notifications = StateNotifications(
            [
                UIApplication.didBecomeActiveNotification: .active,
                UIApplication.willResignActiveNotification: .inactive,
                UIApplication.didEnterBackgroundNotification: .background,
                UIApplication.willEnterForegroundNotification: .inactive,
            ],
            change
        )
    }
}
#endif
