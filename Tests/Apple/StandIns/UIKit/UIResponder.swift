@_exported public import FoundationStandIn

/// As on visionOS, where it declares none of the paste members: an override of one doesn't compile here either.
@MainActor
open class UIResponder: NSObject {
    public override init() {}
}

@MainActor
open class UIView: UIResponder {
    open var frame: CGRect

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }
}

@MainActor
open class UIControl: UIView {
    open var isEnabled = true
}
