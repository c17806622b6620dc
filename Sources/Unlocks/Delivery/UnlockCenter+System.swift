#if canImport(Darwin)
import Foundation
#endif

extension UnlockCenter {
    /// The identifier of the app that is running; `nil` on other systems than Apple's.
    static var systemAppIdentifier: String? {
        #if canImport(Darwin)
        Bundle.main.bundleIdentifier
        #else
        nil
        #endif
    }

    /// The activity of the app's windows.
    static var systemActivity: (any AppActivity)? {
        #if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
        SystemActivity()
        #else
        nil
        #endif
    }
}
