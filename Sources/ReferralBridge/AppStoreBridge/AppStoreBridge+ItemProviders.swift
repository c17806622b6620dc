#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension AppStoreBridge {
    /// Judges what a paste button delivers, copied as an address or as text, and reports what is found.
    ///
    /// - Parameter itemProviders: What the system hands over once the person has pressed the button. Nobody is asked.
    /// - Returns: What came of it.
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
