#if canImport(SwiftUI)
public import Foundation
import ReferralAppSupport
public import SwiftUI

extension View {
    /// Puts the center into the environment, for ``Unlocked`` and for the app's own views.
    ///
    /// ```swift
    /// ContentView()
    ///     .unlocks(unlocks)
    /// ```
    ///
    /// Your own views observe it with `@EnvironmentObject var unlocks: UnlockCenter`.
    ///
    /// - Parameters:
    ///   - unlocks: The center. Create it when the app launches, and keep it.
    ///   - terms: The address of the terms of use, for the subscriptions that ``Unlocked`` offers.
    ///   - privacy: The address of the privacy policy, for the subscriptions that ``Unlocked`` offers.
    /// - Returns: The view.
    public func unlocks(_ unlocks: UnlockCenter, terms: URL? = nil, privacy: URL? = nil) -> some View {
        environment(\.shop.links, ShopLinks(terms: terms, privacy: privacy)).environmentObject(unlocks)
    }

    /// Calls a closure after each purchase in a view of the shop, with the item.
    ///
    /// - Parameter action: The closure. The item's content may not be delivered yet.
    /// - Returns: The view.
    public func onPurchase(_ action: @escaping @MainActor @Sendable (CatalogItem) -> Void) -> some View {
        environment(\.shop.onPurchase, action)
    }
}

/// The addresses of the terms and the privacy policy, without which no subscription is offered.
struct ShopLinks: Sendable {
    var terms: URL?
    var privacy: URL?
}

/// What the views of the shop have from the views around them.
struct ShopEnvironment: Sendable {
    var links = ShopLinks()
    var onPurchase: (@MainActor @Sendable (CatalogItem) -> Void)?
}

extension EnvironmentValues {
    var shop: ShopEnvironment {
        get { self[ShopKey.self] }
        set { self[ShopKey.self] = newValue }
    }
}

private struct ShopKey: EnvironmentKey { static let defaultValue = ShopEnvironment() }

/// Shows one view to users who have an unlock, and another to users who don't.
///
/// ```swift
/// Unlocked("gold") {
///     GoldBoards()
/// } otherwise: {
///     ShopView(unlocks)
/// }
/// ```
///
/// An unknown state is never treated as locked: the content is shown until the folder is open and the store has
/// answered for the first time. So for a moment after each launch, and after the first launch while the device is
/// offline, users may see content that they haven't paid for. That does less harm than asking users to pay again. If it
/// isn't acceptable, because each use costs you money or because users would see the views change, pass a third view:
/// `unknown: { ProgressView() }`.
///
/// Users who have paid for what isn't delivered yet see neither: the third view, or a text says that it is being delivered.
///
/// A view around it must have `unlocks(_:terms:privacy:)`.
public struct Unlocked<Content: View, Otherwise: View, Unknown: View>: View {
    @EnvironmentObject private var unlocks: UnlockCenter
    private let unlock: UnlockID
    private let content: () -> Content
    private let otherwise: () -> Otherwise
    private let unknown: (() -> Unknown)?

    /// Creates a view with a third view for the unknown state.
    ///
    /// - Parameters:
    ///   - unlock: The name of the unlock.
    ///   - content: The view for users who have the unlock.
    ///   - otherwise: The view for users who don't have it.
    ///   - unknown: The view while the state isn't known. It shouldn't ask users to pay.
    public init(
        _ unlock: UnlockID,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder otherwise: @escaping () -> Otherwise,
        @ViewBuilder unknown: @escaping () -> Unknown
    ) {
        self.unlock = unlock
        self.content = content
        self.otherwise = otherwise
        self.unknown = unknown
    }

    /// The view for the current state.
    public var body: some View {
        let state = unlocks.state(of: unlock)
        // Each view is in one branch only. In two, it would lose its state when the store answers.
        if state.isLocked || state == .unknown(.beingDelivered) && offers {
            otherwise()
        } else if !state.isUnlocked, let unknown {
            unknown()
        } else if state == .unknown(.beingDelivered) {
            Text("Paid, being delivered", bundle: .module)
        } else {
            content()
        }
    }

    /// Whether the other view is the library's, which says itself that a purchase is being delivered.
    private var offers: Bool {
        #if os(tvOS) || os(watchOS)
        false
        #else
        Otherwise.self == LockedView.self
        #endif
    }
}

extension Unlocked where Unknown == EmptyView {
    /// Creates a view that shows the content while the state isn't known.
    ///
    /// - Parameters:
    ///   - unlock: The name of the unlock.
    ///   - content: The view for users who have the unlock, and while the state isn't known.
    ///   - otherwise: The view for users who don't have it.
    public init(
        _ unlock: UnlockID,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder otherwise: @escaping () -> Otherwise
    ) {
        self.unlock = unlock
        self.content = content
        self.otherwise = otherwise
        unknown = nil
    }
}
#endif
