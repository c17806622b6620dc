#if canImport(SwiftUI) && ((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
public import SwiftUI

extension View {
    /// Checks for a referral at the first launch, handles links that open the app, and calls
    /// an action with each arrival. A link that was scanned or that starts the app counts too: see `onOpenLink(perform:)`.
    ///
    /// ```swift
    /// ContentView()
    ///     .onReferral(appID: 1300230302, isReady: hasOnboarded) { arrival in
    ///         welcome(from: arrival.referrer)
    ///         if let path = arrival.destination { open(path) }
    ///     }
    /// ```
    ///
    /// Use it once in an app, on its first view. In an app with several windows, each window would have its own bridge,
    /// so create a bridge yourself and use `onReferral(_:perform:)`.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - landingPages: The pages of your website that name the referrer in their address.
    ///   - attributionPolicy: The users whose taps count if they are found on the pasteboard.
    ///   - isReady: Whether the app can show where a referral leads. Until then, the bridge keeps the newest arrival, across
    ///     launches.
    ///   - action: Called with each arrival, once.
    /// - Returns: The view.
    public func onReferral(
        appID: AppID,
        landingPages: [LandingPage] = [],
        attributionPolicy: AttributionPolicy = .firstLaunch,
        isReady: Bool = true,
        perform action: @escaping @MainActor (Arrival) -> Void
    ) -> some View {
        let bridge = AppStoreBridge(appID: appID, landingPages: landingPages)
        bridge.attributionPolicy = attributionPolicy
        bridge.holdsArrivals = !isReady
        return onReferral(bridge, isReady: isReady, perform: action)
    }

    /// Checks for a referral with your own bridge, which a paste button can share.
    ///
    /// - Parameters:
    ///   - bridge: The bridge, which the view keeps; for another bridge, give the view another `id(_:)`. The bridge's delegate and
    ///     its `onArrival` are called before the action.
    ///   - isReady: Whether the app can show where a referral leads. Until then, the bridge keeps the newest arrival, across
    ///     launches.
    ///   - action: Called with each arrival, once.
    /// - Returns: The view.
    public func onReferral(
        _ bridge: AppStoreBridge,
        isReady: Bool = true,
        perform action: @escaping @MainActor (Arrival) -> Void
    ) -> some View {
        modifier(ReferralModifier(bridge: bridge, isReady: isReady, action: action))
    }
}

private struct ReferralModifier: ViewModifier {
    /// The action of the view's last body. A paste and a late answer come long after the task below has begun, which would call a
    /// closure with the values of its own body.
    @MainActor
    private final class LastAction {
        var perform: @MainActor (Arrival) -> Void = { _ in }
    }

    /// SwiftUI keeps the first one for as long as the view is there, and throws those of later evaluations away unused.
    @State var bridge: AppStoreBridge
    @State private var lastAction = LastAction()
    let isReady: Bool
    let action: @MainActor (Arrival) -> Void

    func body(content: Content) -> some View {
        lastAction.perform = action
        return
            content
            // Once the app is ready, another check starts.
            .task(id: isReady) {
                bridge.viewAction = { [lastAction] arrival in lastAction.perform(arrival) }
                if isReady { bridge.releaseArrivals() } else { bridge.holdsArrivals = true }
                await bridge.checkForReferralLinks()
            }
            .onOpenLink(clock: bridge.clock) { url in
                bridge.viewAction = { [lastAction] arrival in lastAction.perform(arrival) }
                if !isReady { bridge.holdsArrivals = true }
                bridge.handle(url)
            }
    }
}
#endif
