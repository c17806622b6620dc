#if canImport(StoreKit) && canImport(SwiftUI)
import StoreKit
public import SwiftUI

extension EnvironmentValues {
    /// The place of a view, so that the system's question for a purchase appears there, such as over a sheet or a cover; `nil`
    /// before iOS 17 and macOS 14.
    ///
    /// ```swift
    /// @Environment(\.purchasePlace) private var place
    /// …
    /// Button("Buy") { Task { try await unlocks.buy("gold", in: place) } }
    /// ```
    @MainActor public var purchasePlace: PurchasePlace? {
        guard #available(iOS 17, macCatalyst 17, macOS 14, visionOS 1, *) else { return nil }
        return PurchasePlace(anchor: purchase)
    }
}
#endif
