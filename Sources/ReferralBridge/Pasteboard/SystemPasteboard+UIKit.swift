#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The general pasteboard: what people copy to, in any app and on the web.
///
/// Never seen on a device: it is tested against a stand-in with the signatures of Apple's documentation.
public struct SystemPasteboard: Pasteboard, Hashable {
    /// The general pasteboard.
    public init() {}

    /// Counts what was put there; starts again when the device does.
    public var changeCount: Int? {
        get async { UIPasteboard.general.changeCount }
    }

    /// Whether there is an address, or text that looks like one. The system tells this without asking the person.
    public func mayHoldLink() async -> Bool {
        if UIPasteboard.general.hasURLs { return true }
        // A page's script may have copied plain text, which does not always count as an address.
        let patterns = try? await UIPasteboard.general.detectedPatterns(for: [\.probableWebURL])
        return patterns?.contains(\.probableWebURL) ?? false
    }

    /// The texts and the addresses, none twice. Asks the person from iOS 16 on, and shows a banner before that.
    public func strings() async -> [String] {
        // Another device's clipboard may block for many seconds: neither the main thread nor one of Swift's own, of which
        // there are few.
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(returning: Self.read(UIPasteboard.general).withoutRepeats)
            }
        }
    }

    /// Reads what is known to be there first, and no more where that gives nothing: who has declined once is not asked by a
    /// second access.
    private static func read(_ pasteboard: UIPasteboard) -> [String] {
        guard pasteboard.hasURLs else { return pasteboard.strings ?? [] }
        guard let urls = pasteboard.urls, !urls.isEmpty else { return [] }
        return (pasteboard.strings ?? []) + urls.map(\.absoluteString)
    }

    /// Empties the pasteboard, if it is still the same one.
    public func clear(ifChangeCountIs changeCount: Int) async {
        guard UIPasteboard.general.changeCount == changeCount else { return }
        UIPasteboard.general.items = []
    }
}
#endif
