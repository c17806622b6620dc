#if canImport(StoreKit) && canImport(SwiftUI)
import StoreKit
public import SwiftUI

extension EnvironmentValues {
    /// The place of a view, so that the system's question for a purchase appears there, such as over a sheet or a cover; `nil`
    /// before iOS 17 and macOS 14.
    ///
    /// ```swift
    /// @Environment(\.purchasePlace) private var place
    /// @State private var problem: String?
    /// …
    /// Button("Buy") {
    ///     Task {
    ///         do { _ = try await unlocks.buy("gold", in: place) } catch { problem = "\(error)" }
    ///     }
    /// }
    /// ```
    @MainActor public var purchasePlace: PurchasePlace? {
        guard #available(iOS 17, macCatalyst 17, macOS 14, visionOS 1, *) else { return nil }
        return PurchasePlace(anchor: purchase)
    }
}
#endif
