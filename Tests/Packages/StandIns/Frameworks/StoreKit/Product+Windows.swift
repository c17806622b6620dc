#if canImport(UIKit)
public import UIKit

@available(iOS 17.0, *)
extension Product {
    /// https://developer.apple.com/documentation/storekit/product/purchase(confirmin:options:)-6dj6y
    @MainActor
    public func purchase(
        confirmIn scene: some UIScene,
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        guard UIApplication.shared.connectedScenes.contains(scene) else { throw StoreKitError.unknown }
        return try await buy(options, in: scene)
    }

    /// https://developer.apple.com/documentation/storekit/product/purchase(confirmin:options:)-3bivf
    ///
    /// A controller that isn't in front can't present anything.
    @available(iOS 18.2, visionOS 2.2, *)
    public func purchase(
        confirmIn viewController: UIViewController,
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        guard await viewController.presentedViewController == nil else { throw StoreKitError.unknown }
        return try await buy(options, in: viewController)
    }
}

#endif
