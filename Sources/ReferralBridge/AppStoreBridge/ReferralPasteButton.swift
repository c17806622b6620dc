#if canImport(SwiftUI) && ((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
public import SwiftUI
import UniformTypeIdentifiers

/// The system's paste button, for people who came by a referral link: pressing it is the permission, so the system asks
/// nothing.
///
/// ```swift
/// ReferralPasteButton(bridge) { outcome in
///     if case .found = outcome { isWelcomed = true }
/// }
/// ```
///
/// It takes a link that was copied as an address and one that was copied as text. What is found is reported as from the
/// pasteboard. Never seen on a device.
@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
public struct ReferralPasteButton: View {
    private let bridge: AppStoreBridge
    private let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    /// A button.
    ///
    /// - Parameters:
    ///   - bridge: Judges and reports what is pasted.
    ///   - completion: Is told what came of it, each time.
    public init(
        _ bridge: AppStoreBridge,
        completion: @escaping @MainActor (AppStoreBridge.Outcome) -> Void = { _ in }
    ) {
        self.bridge = bridge
        self.completion = completion
    }

    /// The button.
    public var body: some View {
        PasteButton(supportedContentTypes: [.url, .plainText]) { itemProviders in
            Task { completion(await bridge.paste(itemProviders: itemProviders)) }
        }
    }
}
#endif
