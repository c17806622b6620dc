#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension AppStoreBridge {
    /// Judges addresses and texts from a paste button, and reports the referral in them.
    ///
    /// - Parameter itemProviders: The pasted items from the system. Reading them doesn't prompt.
    /// - Returns: The outcome.
    @discardableResult
    func handlePaste(itemProviders: [NSItemProvider]) async -> Outcome {
        var strings: [String] = []
        for provider in itemProviders {
            strings += await [provider.address, provider.text].compactMap { $0 }
        }
        return handlePaste(strings)
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
