#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor @preconcurrency
open class UIResponder: NSObject {
    public override init() {}
}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor @preconcurrency
open class UIView: UIResponder {
    open package(set) weak var window: UIWindow?
}

/// https://developer.apple.com/documentation/uikit/uiwindow
@MainActor @preconcurrency
open class UIWindow: UIView {
    open var rootViewController: UIViewController?
    open package(set) weak var windowScene: UIWindowScene?
}

/// https://developer.apple.com/documentation/uikit/uikeyboardtype
public enum UIKeyboardType: Int, Sendable {
    case asciiCapable = 1
}
