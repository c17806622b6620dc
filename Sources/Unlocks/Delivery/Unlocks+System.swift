import ReferralBridge

extension Unlocks {
    /// The app's windows.
    static var systemActivity: (any AppActivity)? {
        #if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
        SystemActivity()
        #else
        nil
        #endif
    }

    /// The device's lock. A Mac has none that matters: nothing runs there before somebody has logged in.
    static var systemProtectedData: (any ProtectedData)? {
        #if canImport(UIKit) && !os(watchOS)
        SystemProtectedData()
        #else
        nil
        #endif
    }
}
