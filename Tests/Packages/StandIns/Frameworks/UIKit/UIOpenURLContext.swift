/// https://developer.apple.com/documentation/uikit/uiscene
@available(iOS 13.0, *)
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiscene/activationstate
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    /// https://developer.apple.com/documentation/uikit/uiscene/openurloptions
    @MainActor @preconcurrency
    open class OpenURLOptions: NSObject {
        public package(set) var sourceApplication: String?
    }

    open package(set) var activationState = ActivationState.unattached
}

/// https://developer.apple.com/documentation/uikit/uiopenurlcontext
@available(iOS 13.0, *)
@MainActor @preconcurrency
open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options = UIScene.OpenURLOptions()

    // MARK: For tests

    /// Only the system makes one.
    package init(forTests url: URL, from sourceApplication: String?) {
        self.url = url
        super.init()
        options.sourceApplication = sourceApplication
    }
}
