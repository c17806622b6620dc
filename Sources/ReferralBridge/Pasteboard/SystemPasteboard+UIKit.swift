#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The general pasteboard: what people copy to, in any app and on the web.
///
/// Every access runs on one queue, one after the other. Another device's clipboard can block each of them for seconds,
/// even `UIPasteboard.general` itself, and a read blocks for as long as the system asks the person. At most one thread
/// is blocked.
public struct SystemPasteboard: Pasteboard, Hashable {
    /// Creates the general pasteboard.
    public init() {}

    /// Changes with each new content of the pasteboard, and begins again when the device starts.
    public var changeCount: Int? {
        get async { await Self.onQueue { UIPasteboard.general.changeCount } }
    }

    /// Whether there is an address, or text that looks like one. The system tells this without asking the person.
    public func mayHoldLink() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async {
                let pasteboard = UIPasteboard.general
                if pasteboard.hasURLs { return continuation.resume(returning: true) }
                // A page's script may have copied plain text, which doesn't always count as an address.
                pasteboard.detectPatterns(for: [\.probableWebURL]) { result in
                    continuation.resume(with: result.map { $0.contains(\.probableWebURL) })
                }
            }
        }
    }

    /// The texts and the addresses. Asks the person from iOS 16 on, and shows a banner before that.
    public func contents() async throws -> PasteboardContents {
        await Self.onQueue {
            let pasteboard = UIPasteboard.general
            let changeCount = pasteboard.changeCount
            return PasteboardContents(strings: Self.strings(of: pasteboard), changeCount: changeCount)
        }
    }

    /// Reads what is known to be there first, and no more if that gives nothing: a person who has declined isn't asked
    /// by a second access.
    private static func strings(of pasteboard: UIPasteboard) -> [String] {
        guard pasteboard.hasURLs else { return pasteboard.strings ?? [] }
        guard let urls = pasteboard.urls, !urls.isEmpty else { return [] }
        return (pasteboard.strings ?? []) + urls.map(\.absoluteString)
    }

    /// Empties the pasteboard, if its change count is still this one.
    public func clear(ifChangeCountIs changeCount: Int) async {
        await Self.onQueue {
            if UIPasteboard.general.changeCount == changeCount { UIPasteboard.general.items = [] }
        }
    }
}
#endif
