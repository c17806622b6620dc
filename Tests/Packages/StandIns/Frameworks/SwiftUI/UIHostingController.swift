#if canImport(UIKit)
/// https://developer.apple.com/documentation/swiftui/uihostingcontroller
open class UIHostingController<Content: View>: UIViewController {
    public var rootView: Content

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }
}
#endif
