/// https://developer.apple.com/documentation/uikit/uiwindowscene
@available(iOS 13.0, *)
@MainActor @preconcurrency
open class UIWindowScene: UIScene {
    /// https://developer.apple.com/documentation/uikit/uiwindowscene/keywindow
    @available(iOS 15.0, *)
    open package(set) var keyWindow: UIWindow?

    // MARK: For tests

    /// A scene with a window. The application has it from now on.
    package init(forTests root: UIViewController, _ state: ActivationState = .foregroundActive) {
        super.init()
        activationState = state
        let window = UIWindow(frame: .zero)
        (window.windowScene, window.rootViewController, keyWindow) = (self, root, window)
        UIApplication.shared.connectedScenes.insert(self)
    }
}

/// https://developer.apple.com/documentation/uikit/uiwindow
@MainActor @preconcurrency
open class UIWindow: UIView {
    open var rootViewController: UIViewController? { didSet { rootViewController?.view.window = self } }
    /// https://developer.apple.com/documentation/uikit/uiwindow/windowscene
    @available(iOS 13.0, *)
    open package(set) weak var windowScene: UIWindowScene?
}
