/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor @preconcurrency
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)
    @available(iOS 5.0, *)
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        presented = viewControllerToPresent
        viewControllerToPresent.presenting = self
        completion?()
    }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)
    ///
    /// A controller that presents none asks the one that presents it.
    @available(iOS 5.0, *)
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard presented != nil else {
            presenting?.dismiss(animated: flag, completion: completion)
            return
        }
        presented?.presenting = nil
        presented = nil
        completion?()
    }

    // MARK: For tests

    /// The controller over it.
    package private(set) var presented: UIViewController?
    private weak var presenting: UIViewController?
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
