/// The place in the app where the user has tapped to buy something, so that the system's question appears there.
///
/// ```swift
/// try await unlocks.buy("gold", in: PurchasePlace(self))
/// ```
///
/// On Apple's platforms, it is made from a view controller or a scene, and a view of SwiftUI finds its own in the environment, as
/// `purchasePlace`. `ShopView` and the other views of this library pass theirs. A scripted store ignores it.
@MainActor
public struct PurchasePlace {
    /// The store's part of the place. Its type is the system's.
    package let anchor: Any

    package init(anchor: Any) { self.anchor = anchor }
}
