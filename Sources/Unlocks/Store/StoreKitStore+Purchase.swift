#if canImport(StoreKit) && !os(visionOS)
import StoreKit

extension StoreKitStore {
    static func buyInFront(_ product: Product) async throws -> Product.PurchaseResult { try await product.purchase() }
}
#endif
