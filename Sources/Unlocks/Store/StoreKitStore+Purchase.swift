#if canImport(StoreKit) && canImport(SwiftUI) && !os(watchOS)
import StoreKit
import SwiftUI
#if canImport(UIKit)
public import UIKit
#endif

extension StoreKitStore {
    /// Shows the system's question where the user has tapped, or else in front.
    static func buy(
        _ product: Product,
        _ options: Set<Product.PurchaseOption>,
        in place: PurchasePlace?
    ) async throws -> Product.PurchaseResult {
        if #available(iOS 17, macCatalyst 17, macOS 14, *), let action = place?.anchor as? PurchaseAction {
            return try await action(product, options: options)
        }
        #if canImport(UIKit)
        let given = place?.anchor as? UIScene
        let controller = place?.anchor as? UIViewController ?? (given == nil ? .inFront : nil)
        if #available(iOS 18.2, macCatalyst 18.2, visionOS 2.2, *), let controller {
            return try await product.purchase(confirmIn: controller, options: options)
        }
        if #available(iOS 17, macCatalyst 17, *), let scene = given ?? controller?.viewIfLoaded?.window?.windowScene {
            return try await product.purchase(confirmIn: scene, options: options)
        }
        #endif
        #if os(visionOS)
        throw StoreError.noWindow
        #else
        return try await product.purchase(options: options)
        #endif
    }
}

#if canImport(UIKit)
extension PurchasePlace {
    /// A view controller over which the system's question appears.
    public init(_ controller: UIViewController) { self.init(anchor: controller) }

    /// A scene in which the system's question appears.
    public init(_ scene: UIScene) { self.init(anchor: scene) }
}

extension UIViewController {
    /// The controller in front in the window that the user sees; `nil` if the app has none.
    static var inFront: UIViewController? {
        let scenes = (UIApplication.current?.connectedScenes ?? []).compactMap { $0 as? UIWindowScene }
        let scene =
            scenes.first { $0.activationState == .foregroundActive }
            // The system's question, or another one, is in front of the app.
            ?? scenes.first { $0.activationState == .foregroundInactive } ?? scenes.first
        var controller = scene?.keyWindow?.rootViewController
        while let presented = controller?.presentedViewController, !presented.isBeingDismissed {
            controller = presented
        }
        return controller
    }
}
#endif
#endif
