#if canImport(UIKit) && !os(watchOS)
import Foundation
package import UIKit

/// The kind of this process.
package enum AppProcess {
    /// Whether this is an app extension, whose code can't use the application.
    package static var isExtension: Bool { extensionState.get() }

    /// The value of ``isExtension``, which a test can replace during a call.
    package static let extensionState = TaskLocal(wrappedValue: Bundle.main.bundleURL.pathExtension == "appex")
}

extension UIApplication {
    /// The application; `nil` in an app extension, and in SwiftUI's `App.init`, when there is none yet.
    ///
    /// `shared` can't be compiled into an app extension, and can't be `nil`.
    package static var current: UIApplication? {
        AppProcess.isExtension ? nil : value(forKey: "sharedApplication") as? UIApplication
    }

    /// Whether protected data is available, as far as can be known. An app extension can't ask.
    package static var mayReadProtectedData: Bool {
        AppProcess.isExtension || current?.isProtectedDataAvailable == true
    }
}
#endif
