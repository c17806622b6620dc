#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Puts what the person has into the environment, for ``Unlocked`` and for the app's own views.
    ///
    /// ```swift
    /// ContentView()
    ///     .unlocks(unlocks)
    /// ```
    ///
    /// A view of the app observes it with `@EnvironmentObject var unlocks: UnlockCenter`.
    ///
    /// - Parameter unlocks: What the person has. Make one when the app launches, and keep it.
    /// - Returns: The view.
    public func unlocks(_ unlocks: UnlockCenter) -> some View {
        environment(\.unlocks, unlocks).environmentObject(unlocks)
    }
}

extension EnvironmentValues {
    /// Unlike an environment object, one that is missing doesn't end the app.
    var unlocks: UnlockCenter? {
        get { self[UnlocksKey.self] }
        set { self[UnlocksKey.self] = newValue }
    }
}

private struct UnlocksKey: EnvironmentKey {
    static let defaultValue: UnlockCenter? = nil
}

/// Shows something to those who have it, and something else to those who don't.
///
/// ```swift
/// Unlocked("gold") {
///     GoldBoards()
/// } otherwise: {
///     ShopView(unlocks)
/// }
/// ```
///
/// What isn't known yet is never locked: until the folder is open, and the store has answered for the first time, the content
/// is shown. For a moment after each launch, and after the first launch for as long as the device stays offline, somebody may
/// see what they haven't paid for. That does less harm than a demand to pay again for what they have. If it doesn't, because
/// each use costs the app's maker money, or because people would see the views change, pass a third view:
/// `unknown: { ProgressView() }`.
///
/// Without `unlocks(_:)` around it nothing is known.
public struct Unlocked<Content: View, Otherwise: View, Unknown: View>: View {
    @Environment(\.unlocks) private var unlocks
    private let unlock: String
    private let content: () -> Content
    private let otherwise: () -> Otherwise
    private let unknown: (() -> Unknown)?

    /// Creates a view that shows something else for as long as nothing is known.
    ///
    /// - Parameters:
    ///   - unlock: The name of the unlock.
    ///   - content: For those who have it.
    ///   - otherwise: For those who don't.
    ///   - unknown: For as long as that isn't known. Not what asks people to pay.
    public init(
        _ unlock: String,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder otherwise: @escaping () -> Otherwise,
        @ViewBuilder unknown: @escaping () -> Unknown
    ) {
        (self.unlock, self.content, self.otherwise, self.unknown) = (unlock, content, otherwise, unknown)
    }

    /// One of the views.
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
    /// Creates a view that shows the content for as long as nothing is known.
    ///
    /// - Parameters:
    ///   - unlock: The name of the unlock.
    ///   - content: For those who have it, and for as long as that isn't known.
    ///   - otherwise: For those who don't.
    public init(
        _ unlock: String,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder otherwise: @escaping () -> Otherwise
    ) {
        (self.unlock, self.content, self.otherwise, unknown) = (unlock, content, otherwise, nil)
    }
}

/// Observes what the person has.
private struct Gate<Content: View, Otherwise: View, Unknown: View>: View {
    @ObservedObject var unlocks: UnlockCenter
    let unlock: String
    let content: () -> Content
    let otherwise: () -> Otherwise
    let unknown: (() -> Unknown)?

    var body: some View {
        let state = unlocks.state(of: unlock)
        // The content is in one branch only. In two, it would lose its own state once the store has answered.
        if state.isLocked {
            otherwise()
        } else if !state.isUnlocked, let unknown {
            unknown()
        } else {
            content()
        }
    }
}
#endif
