#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

extension SystemActivity {
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

    static let notifications: KeyValuePairs<Notification.Name, AppActivityState> = [
        UIApplication.didBecomeActiveNotification: .active,
        UIApplication.willResignActiveNotification: .inactive,
        UIApplication.didEnterBackgroundNotification: .background,
        UIApplication.willEnterForegroundNotification: .inactive,
    ]
}
#endif
