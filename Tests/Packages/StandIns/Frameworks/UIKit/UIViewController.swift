/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor @preconcurrency
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }

    open package(set) var viewIfLoaded: UIView?

    open package(set) var presentedViewController: UIViewController?

    open package(set) var isBeingDismissed = false
}

/// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller
@MainActor @preconcurrency
open class UIActivityViewController: UIViewController {
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) { nil }
}

/// https://developer.apple.com/documentation/uikit/uiactivity
@MainActor @preconcurrency
open class UIActivity: NSObject {}
