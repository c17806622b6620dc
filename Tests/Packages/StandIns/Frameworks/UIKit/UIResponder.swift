#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/uikit/uiresponder
///
/// As on visionOS, where it declares none of the paste members: an override of one doesn't compile here either.
@MainActor @preconcurrency
open class UIResponder: NSObject {
    public override init() {}
}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor @preconcurrency
open class UIView: UIResponder {
    open var frame: CGRect
    open package(set) weak var window: UIWindow?

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }
}

/// https://developer.apple.com/documentation/uikit/uicontrol
@MainActor @preconcurrency
open class UIControl: UIView {
    open var isEnabled = true
}
