/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor @preconcurrency
open class UIViewController: UIResponder {}

/// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller
@MainActor @preconcurrency
open class UIActivityViewController: UIViewController {
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {}
}

/// https://developer.apple.com/documentation/uikit/uiactivity
@MainActor @preconcurrency
open class UIActivity: NSObject {}
