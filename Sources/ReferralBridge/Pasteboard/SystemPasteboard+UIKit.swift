#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The general pasteboard, which all apps and web pages share.
///
/// All accesses run on one serial queue. Each access, even `UIPasteboard.general` itself, can block for seconds if the
/// content is on another device, and a read blocks until the user answers the system's question. At most one thread is
/// blocked.
public struct SystemPasteboard: Pasteboard, Hashable {
    /// Creates the general pasteboard.
    public init() {}

    /// A number that changes each time the content of the pasteboard changes, and starts over when the device starts.
    public var changeCount: Int? {
        get async { await Self.onQueue { UIPasteboard.general.changeCount } }
    }

    /// Whether there is an address, or text that looks like one. The system reports this without a prompt.
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

    /// The types of the first item. The system reports them without a prompt.
    public var types: [String]? {
        get async { await Self.onQueue { UIPasteboard.general.types } }
    }

    /// Reads the texts and the addresses. Prompts since iOS 16, and shows a banner on earlier versions.
    public func contents() async throws -> PasteboardContents {
        await Self.onQueue {
            let pasteboard = UIPasteboard.general
            let changeCount = pasteboard.changeCount
            return PasteboardContents(strings: Self.strings(of: pasteboard), changeCount: changeCount)
        }
    }

    /// First reads a type that is known to be there, and stops if that returns nothing: a second access would
    /// again ask a user who has declined.
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
