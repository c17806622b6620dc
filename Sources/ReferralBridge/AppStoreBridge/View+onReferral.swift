#if canImport(SwiftUI) && ((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
public import SwiftUI

extension View {
    /// Looks for a referral when the view first appears and whenever a link opens the app, and hands over what it finds.
    ///
    /// ```swift
    /// ContentView()
    ///     .onReferral(appID: 1300230302) { referral in
    ///         welcome(referral.referrer)
    ///     }
    /// ```
    ///
    /// Once in an app, on its first view. Never seen on a device.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - installPolicy: At which launches the pasteboard is looked at.
    ///   - action: Is told of each referral, once.
    /// - Returns: The view.
    public func onReferral(
        appID: AppID,
        installPolicy: InstallPolicy = .everyLaunch,
        perform action: @escaping @MainActor (Referral) -> Void
    ) -> some View {
        modifier(ReferralModifier(appID: appID, installPolicy: installPolicy, action: action))
    }

    /// The same with a bridge of the app's own, for one that a paste button shares.
    ///
    /// - Parameters:
    ///   - bridge: The bridge; its `onReferral` becomes the action.
    ///   - action: Is told of each referral, once.
    /// - Returns: The view.
    public func onReferral(
        _ bridge: AppStoreBridge,
        perform action: @escaping @MainActor (Referral) -> Void
    ) -> some View {
        task {
            bridge.onReferral = action
            await bridge.checkForReferralLinks()
        }
        .onOpenURL { url in
            bridge.onReferral = action
            bridge.open(url)
        }
    }
}

private struct ReferralModifier: ViewModifier {
    let action: @MainActor (Referral) -> Void

    /// Kept by SwiftUI for as long as the view is there; those of later evaluations are thrown away unused.
    @State private var bridge: AppStoreBridge

    init(appID: AppID, installPolicy: InstallPolicy, action: @escaping @MainActor (Referral) -> Void) {
        let bridge = AppStoreBridge(appID: appID)
        bridge.installPolicy = installPolicy
        _bridge = State(initialValue: bridge)
        self.action = action
    }

    func body(content: Content) -> some View {
        content.onReferral(bridge, perform: action)
    }
}
#endif
