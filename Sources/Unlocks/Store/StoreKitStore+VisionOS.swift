#if canImport(StoreKit) && os(visionOS)
import StoreKit
import UIKit

extension StoreKitStore {
    /// On visionOS StoreKit must be told which window it is about.
    static func buyInFront(_ product: Product) async throws -> Product.PurchaseResult {
        let scenes = UIApplication.shared.connectedScenes
        guard let scene = scenes.first(where: { $0.activationState == .foregroundActive }) ?? scenes.first else {
            throw StoreError.noWindow
        }
        return try await product.purchase(confirmIn: scene)
    }
}
#endif
