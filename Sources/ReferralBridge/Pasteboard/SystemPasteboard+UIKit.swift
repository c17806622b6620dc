#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

extension SystemPasteboard {
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

    /// Reads the texts and the addresses, by one access: another one would again ask a user who has declined. Prompts since iOS 16,
    /// and shows a banner on earlier versions.
    public func contents() async throws -> PasteboardContents {
        await Self.onQueue {
            let pasteboard = UIPasteboard.general
            let changeCount = pasteboard.changeCount
            let strings = pasteboard.items.flatMap { item in Self.types.compactMap { Self.string(item[$0]) } }
            return PasteboardContents(strings: strings, changeCount: changeCount)
        }
    }

    /// The types of a text, which a page also copies, and of an address.
    private static let types = [
        "public.utf8-plain-text", "public.plain-text", "public.text", "public.utf16-plain-text", "public.url",
    ]

    /// The text of a value. An address that was written as text or data is in neither `urls` nor `strings`.
    private static func string(_ value: Any?) -> String? {
        switch value {
        case let url as URL: url.absoluteString
        case let text as String: text
        case let data as Data: String(data: data, encoding: .utf8)
        default: nil
        }
    }
}
#endif
