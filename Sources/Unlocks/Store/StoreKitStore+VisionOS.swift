#if canImport(StoreKit) && os(visionOS)
import ReferralBridge
import StoreKit
import UIKit

extension StoreKitStore {
    /// On visionOS, StoreKit requires the window of the purchase.
    static func buyInFront(_ product: Product) async throws -> Product.PurchaseResult {
        let scenes = UIApplication.current?.connectedScenes ?? []
        guard let scene = scenes.first(where: { $0.activationState == .foregroundActive }) ?? scenes.first else {
            throw StoreError.noWindow
        }
        return try await product.purchase(confirmIn: scene)
    }
}
#endif
