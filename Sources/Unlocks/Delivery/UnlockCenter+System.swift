import ReferralBridge

extension UnlockCenter {
    /// The activity of the app's windows.
    static var systemActivity: (any AppActivity)? {
        #if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
        SystemActivity()
        #else
        nil
        #endif
    }

    /// The device's protected data; `nil` on a Mac, where no app runs before the user logs in.
    static var systemProtectedData: (any ProtectedData)? {
        #if canImport(UIKit) && !os(watchOS)
        SystemProtectedData()
        #else
        nil
        #endif
    }
}
