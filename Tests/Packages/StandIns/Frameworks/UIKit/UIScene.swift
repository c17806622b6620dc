/// https://developer.apple.com/documentation/uikit/uiscene
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiscene/activationstate
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    open package(set) var activationState = ActivationState.unattached
}

/// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor @preconcurrency
open class UIWindowScene: UIScene {
    open package(set) var keyWindow: UIWindow?

    // MARK: For tests

    /// A scene with a window. The application has it from now on.
    package init(forTests root: UIViewController, _ state: ActivationState = .foregroundActive) {
        super.init()
        activationState = state
        let window = UIWindow()
        (window.windowScene, window.rootViewController, keyWindow) = (self, root, window)
        root.viewIfLoaded = UIView()
        root.viewIfLoaded?.window = window
        UIApplication.shared.connectedScenes.insert(self)
    }
}
