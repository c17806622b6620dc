#if canImport(SwiftUI) && ((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
public import SwiftUI

extension View {
    /// Checks for a referral at launch and each time the app becomes active, handles links that open the app, and calls
    /// an action with each referral.
    ///
    /// ```swift
    /// ContentView()
    ///     .onReferral(appID: 1300230302) { referral in
    ///         welcome(referral.referrer)
    ///     }
    /// ```
    ///
    /// Use it once in an app, on its first view. In an app with several windows, each window would have its own bridge,
    /// so create a bridge yourself and use `onReferral(_:perform:)`.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - attributionPolicy: The users whose taps count if they are found on the pasteboard.
    ///   - action: Called with each referral, once.
    /// - Returns: The view.
    public func onReferral(
        appID: AppID,
        attributionPolicy: AttributionPolicy = .everyone,
        perform action: @escaping @MainActor (Referral) -> Void
    ) -> some View {
        modifier(ReferralModifier(appID: appID, attributionPolicy: attributionPolicy, action: action))
    }

    /// Checks for a referral with your own bridge, which a paste button can share.
    ///
    /// - Parameters:
    ///   - bridge: The bridge. Its delegate and its `onReferral` are called before the action.
    ///   - action: Called with each referral, once.
    /// - Returns: The view.
    public func onReferral(
        _ bridge: AppStoreBridge,
        perform action: @escaping @MainActor (Referral) -> Void
    ) -> some View {
        task {
            bridge.viewAction = action
            await bridge.checkForReferralLinks()
        }
        .onOpenURL { url in
            bridge.viewAction = action
            bridge.handle(url)
        }
    }
}

private struct ReferralModifier: ViewModifier {
    let action: @MainActor (Referral) -> Void

    /// SwiftUI keeps the first one for as long as the view is there, and throws those of later evaluations away unused.
    @State private var bridge: AppStoreBridge

    init(appID: AppID, attributionPolicy: AttributionPolicy, action: @escaping @MainActor (Referral) -> Void) {
        let bridge = AppStoreBridge(appID: appID)
        bridge.attributionPolicy = attributionPolicy
        _bridge = State(initialValue: bridge)
        self.action = action
    }

    func body(content: Content) -> some View {
        content.onReferral(bridge, perform: action)
    }
}
#endif
