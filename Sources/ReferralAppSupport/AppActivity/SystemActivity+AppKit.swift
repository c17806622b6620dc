#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

extension SystemActivity {
    /// The app's current state. An app that isn't active is ``AppActivityState/inactive``, never in the background.
    public var state: AppActivityState { NSApplication.shared.isActive ? .active : .inactive }

    static let notifications: KeyValuePairs<Notification.Name, AppActivityState> = [
        NSApplication.didBecomeActiveNotification: .active,
        NSApplication.didResignActiveNotification: .inactive,
    ]
}
#endif
