#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The app's activity, from UIKit's notifications, which every app receives, including apps with scenes and SwiftUI
/// apps.
@MainActor
public final class SystemActivity: AppActivity {
    private var notifications: StateNotifications?

    /// Creates the app's activity.
    public init() {}

    /// The app's current state. In an app extension, which has no application, it is always active.
    public var state: AppActivityState {
        if AppProcess.isExtension { return .active }
        return switch UIApplication.current?.applicationState {
        case .active: .active
        case .background: .background
        // In `App.init` there is no application yet.
        default: .inactive
        }
    }

    /// Calls a closure with each new state.
    public func observe(_ change: @escaping @MainActor (AppActivityState) -> Void) {
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
