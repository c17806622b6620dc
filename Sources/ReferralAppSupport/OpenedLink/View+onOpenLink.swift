#if canImport(SwiftUI) && ((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
public import Foundation
public import SwiftUI

extension View {
    /// Calls an action with each address with which the system opens the app, once: a universal link, or an address of the app's
    /// own scheme.
    ///
    /// ```swift
    /// ContentView()
    ///     .onOpenLink { url in bridge.handle(url) }
    /// ```
    ///
    /// SwiftUI delivers some addresses to `onOpenURL(perform:)`. A universal link that was scanned, or that starts the app, may come
    /// only as a user activity, to `onContinueUserActivity(_:perform:)`, and some come both ways. This modifier listens to both. If
    /// the same address comes twice within 2 seconds, it counts once.
    ///
    /// `onReferral` uses it, so you need it only for a bridge that you call yourself, and for a handoff.
    ///
    /// - Parameter action: Called with each address, or with a file that the system opens in the app.
    /// - Returns: The view.
    public func onOpenLink(perform action: @escaping @MainActor (URL) -> Void) -> some View {
        onOpenLink(clock: .system, perform: action)
    }

    /// The same with another clock.
    package func onOpenLink(clock: DeviceClock, perform action: @escaping @MainActor (URL) -> Void) -> some View {
        modifier(OpenLinkModifier(clock: clock, action: action))
    }
}

private struct OpenLinkModifier: ViewModifier {
    /// An object, so that an address doesn't change the view.
    @MainActor
    private final class Deliveries {
        private var openings = RecentOpenings()

        /// Whether an address comes for the first time, within 2 seconds.
        func isFirst(_ url: URL, at now: Timestamp) -> Bool {
            let address = url.absoluteString
            defer { openings.insert(address, at: now) }
            return !openings.contains(address, at: now)
        }
    }

    let clock: DeviceClock
    let action: @MainActor (URL) -> Void
    @State private var deliveries = Deliveries()

    func body(content: Content) -> some View {
        content
            .onOpenURL { url in open(url) }
            .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                if let url = activity.webpageURL { open(url) }
            }
    }

    private func open(_ url: URL) {
        if deliveries.isFirst(url, at: clock.now()) { action(url) }
    }
}
#endif
