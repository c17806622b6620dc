#if canImport(SwiftUI) && ((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
import Foundation
public import SwiftUI
import UniformTypeIdentifiers

/// The system's paste button, for users who came through a referral link. Pressing it gives permission, so the system
/// doesn't prompt.
///
/// ```swift
/// ReferralPasteButton(bridge) { outcome in
///     if case .found = outcome { isWelcomed = true }
/// }
/// ```
///
/// The button accepts a link that was copied as an address or as text. The bridge reports the referral as usual. Make
/// the button at least 34 points high: a smaller `UIPasteControl` stays empty. Don't put it into a toolbar: on iOS 27, the
/// system's button is reported to look flat there.
@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
public struct ReferralPasteButton: View {
    private let bridge: AppStoreBridge
    private let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - bridge: Judges and reports the pasted items.
    ///   - completion: Called with the outcome of each paste. A paste that fails is
    ///     ``AppStoreBridge/Outcome/emptyOrDenied``.
    public init(
        _ bridge: AppStoreBridge,
        completion: @escaping @MainActor (AppStoreBridge.Outcome) -> Void = { _ in }
    ) {
        self.bridge = bridge
        self.completion = completion
    }

    /// The button.
    public var body: some View {
        // The button matches exact types, and a page copies UTF-8.
        PasteButton(supportedContentTypes: [.url, .utf8PlainText, .plainText]) { itemProviders in
            Task {
                // Reading the items doesn't prompt.
                var strings: [String] = []
                for provider in itemProviders {
                    strings += await [provider.address, provider.text].compactMap { $0 }
                }
                completion(bridge.handlePaste(strings))
            }
        }
    }
}

private extension NSItemProvider {
    @MainActor var address: String? {
        get async {
            guard canLoadObject(ofClass: URL.self) else { return nil }
            return await withCheckedContinuation { continuation in
                _ = loadObject(ofClass: URL.self) { url, _ in continuation.resume(returning: url?.absoluteString) }
            }
        }
    }

    @MainActor var text: String? {
        get async {
            guard canLoadObject(ofClass: String.self) else { return nil }
            return await withCheckedContinuation { continuation in
                _ = loadObject(ofClass: String.self) { text, _ in continuation.resume(returning: text) }
            }
        }
    }
}
#endif
