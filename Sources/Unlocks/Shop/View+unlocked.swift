#if canImport(SwiftUI)
public import Foundation
import ReferralBasics
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
        environment(\.unlocks, unlocks).environment(\.shopLinks, ShopLinks(terms: terms, privacy: privacy))
            .environmentObject(unlocks)
    }
}

extension EnvironmentValues {
    /// Unlike a missing environment object, a missing center doesn't end the app.
    var unlocks: UnlockCenter? {
        get { self[UnlocksKey.self] }
        set { self[UnlocksKey.self] = newValue }
    }
}

/// The addresses of the terms and the privacy policy, without which no subscription is offered.
struct ShopLinks: Sendable {
    var terms: URL?
    var privacy: URL?
}

extension EnvironmentValues {
    var shopLinks: ShopLinks {
        get { self[ShopLinksKey.self] }
        set { self[ShopLinksKey.self] = newValue }
    }
}

private struct ShopLinksKey: EnvironmentKey {
    static let defaultValue = ShopLinks()
}

private struct UnlocksKey: EnvironmentKey {
    static let defaultValue: UnlockCenter? = nil
}

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
/// What is paid and not delivered yet isn't there, so the other view is shown. Those of this library say that it is being delivered.
///
/// Outside of a view with `unlocks(_:)`, the state is always unknown.
public struct Unlocked<Content: View, Otherwise: View, Unknown: View>: View {
    @Environment(\.unlocks) private var unlocks
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
        if let unlocks {
            Gate(unlocks: unlocks, unlock: unlock, content: content, otherwise: otherwise, unknown: unknown)
        } else if let unknown {
            unknown()
        } else {
            content()
        }
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

/// Observes the center.
private struct Gate<Content: View, Otherwise: View, Unknown: View>: View {
    @ObservedObject var unlocks: UnlockCenter
    let unlock: UnlockID
    let content: () -> Content
    let otherwise: () -> Otherwise
    let unknown: (() -> Unknown)?

    var body: some View {
        let state = unlocks.state(of: unlock)
        // The content is in one branch only. In two, it would lose its state when the store answers.
        if state.isLocked || state == .unknown(.beingDelivered) {
            otherwise()
        } else if !state.isUnlocked, let unknown {
            unknown()
        } else {
            content()
        }
    }
}
#endif
