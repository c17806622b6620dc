#if canImport(StoreKit) && canImport(SwiftUI) && !canImport(UIKit)
import StoreKit
import SwiftUI

extension StoreKitStore {
    /// Shows the system's question in the window where the user has tapped, or else in the one in front.
    static func buy(
        _ product: Product,
        _ options: Set<Product.PurchaseOption>,
        in place: PurchasePlace?
    ) async throws -> Product.PurchaseResult {
        if #available(macOS 14, *), let action = place?.anchor as? PurchaseAction {
            return try await action(product, options: options)
        }
        return try await product.purchase(options: options)
    }
}
#endif
