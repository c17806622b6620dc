#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// The availability of protected data, as UIKit reports it.
@MainActor
final class SystemProtectedData: ProtectedData {
    private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []

    var isAvailable: Bool { UIApplication.mayReadProtectedData }

    func observe(_ change: @escaping @MainActor () -> Void) {
        // In `App.init` there is no application object yet, so a center created there also tries again when the app is
        // active.
        let names = [
            UIApplication.protectedDataDidBecomeAvailableNotification, UIApplication.didBecomeActiveNotification,
        ]
        observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { change() }
            }
        }
    }

    deinit { observers.forEach { NotificationCenter.default.removeObserver($0) } }
}
#endif
