#if canImport(UIKit)
public import UIKit

@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}

extension UIViewControllerRepresentable {
    public var body: Never { fatalError("it has no body") }

    /// Makes the controller, or updates the one that was made before.
    func controller(after earlier: UIViewController?) -> UIViewController {
        let controller = earlier as? UIViewControllerType ?? makeUIViewController(context: Context())
        updateUIViewController(controller, context: Context())
        return controller
    }
}

public struct UIViewControllerRepresentableContext<Representable> {}
#endif
