extension UnlockCenter {
    /// The activity of the app's windows.
    static var systemActivity: (any AppActivity)? {
        #if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
        SystemActivity()
        #else
        nil
        #endif
    }
}
