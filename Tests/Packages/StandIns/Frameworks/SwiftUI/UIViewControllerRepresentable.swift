#if canImport(UIKit)
internal import StoreKit
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
        // "You must present it modally": the system ends an app that makes it a part of another controller.
        precondition(!(controller is SKStoreProductViewController), "the page of an app must be presented")
        updateUIViewController(controller, context: Context())
        return controller
    }
}

public struct UIViewControllerRepresentableContext<Representable> {}
#endif
