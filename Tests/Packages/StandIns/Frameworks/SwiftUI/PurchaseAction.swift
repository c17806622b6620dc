public import StoreKit

/// https://developer.apple.com/documentation/storekit/purchaseaction
@available(macOS 14.0, iOS 17.0, *)
@MainActor @preconcurrency
public struct PurchaseAction {
    let name: String

    public func callAsFunction(
        _ product: Product,
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await product.buy(options, action: name)
    }
}
