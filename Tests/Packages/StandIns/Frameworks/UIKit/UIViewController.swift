/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor @preconcurrency
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewifloaded
    @available(iOS 9.0, *)
    open var viewIfLoaded: UIView? { loadedView }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller
    @available(iOS 5.0, *)
    open private(set) var presentedViewController: UIViewController?

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingdismissed
    @available(iOS 5.0, *)
    open private(set) var isBeingDismissed = false

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)
    ///
    /// During a transition, and over a controller that presents another one, it does nothing, and calls nothing.
    @available(iOS 5.0, *)
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard canPresent else { return }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presenting = self
        viewControllerToPresent.view.window = viewIfLoaded?.window
        Transition.begin(completion)
    }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)
    ///
    /// A controller that presents none asks the one that presents it. During a transition, it does nothing, and calls nothing.
    @available(iOS 5.0, *)
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard Transition.current == nil else { return }
        guard let going = presentedViewController else {
            presenting?.dismiss(animated: flag, completion: completion)
            return
        }
        going.isBeingDismissed = true
        Transition.begin {
            (going.isBeingDismissed, going.presenting, going.view.window) = (false, nil, nil)
            self.presentedViewController = nil
            completion?()
        }
    }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/transitioncoordinator
    @available(iOS 7.0, *)
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { Transition.current }

    // MARK: For tests

    /// The controller over it, unless that is going.
    package var presented: UIViewController? { presentedViewController.flatMap { $0.isBeingDismissed ? nil : $0 } }
    /// Whether it is in front, and nothing comes or goes.
    package var canPresent: Bool { Transition.current == nil && presentedViewController == nil }

    package var view: UIView {
        if let loadedView { return loadedView }
        let view = UIView(frame: .zero)
        loadedView = view
        return view
    }

    private var loadedView: UIView?
    private weak var presenting: UIViewController?

    /// Whether transitions take time: the system's own, and those that the app begins. Otherwise each ends at once.
    package static var transitionsTakeTime = false

    /// The system begins a transition, such as that of a sheet.
    package static func beginTransition() { Transition.begin(nil) }

    /// A transition ends.
    package static func endTransition() { Transition.current?.end() }
}

/// https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinatorcontext
@available(iOS 7.0, *)
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {}

/// https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator
@available(iOS 7.0, *)
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator/animate(alongsidetransition:completion:)
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}

/// The transition that goes on; for tests, there is one screen.
@MainActor
private final class Transition: NSObject, UIViewControllerTransitionCoordinator {
    static var current: Transition?

    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

    static func begin(_ completion: (() -> Void)?) {
        let transition = Transition()
        transition.completions = [{ _ in completion?() }]
        current = transition
        if !UIViewController.transitionsTakeTime { transition.end() }
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let completion { completions.append(completion) }
        return true
    }

    func end() {
        Self.current = nil
        for completion in completions { completion(self) }
    }
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
