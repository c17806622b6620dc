#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

/// The general pasteboard: what people copy to, in any app and on the web.
///
/// Never seen on a Mac: it is tested against a stand-in with the signatures of Apple's documentation.
public struct SystemPasteboard: Pasteboard, Hashable {
    /// The general pasteboard.
    public init() {}

    /// Counts what was put there; starts again when the Mac does.
    public var changeCount: Int? {
        get async { NSPasteboard.general.changeCount }
    }

    /// Whether there is an address, or text that looks like one. The system tells this without asking the person.
    public func mayHoldLink() async -> Bool {
        if NSPasteboard.general.availableType(from: [.URL]) != nil { return true }
        guard #available(macOS 15.4, *) else {
            // Before macOS could tell one text from another, reading asked nobody.
            return NSPasteboard.general.availableType(from: [.string]) != nil
        }
        let patterns = try? await NSPasteboard.general.detectedPatterns(for: [\.probableWebURL])
        return patterns?.contains(\.probableWebURL) ?? false
    }

    /// The texts and the addresses, none twice. May ask the person from macOS 15.4 on.
    public func strings() async -> [String] {
        // Another device's clipboard may block for many seconds: neither the main thread nor one of Swift's own, of which
        // there are few.
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                let items = NSPasteboard.general.pasteboardItems ?? []
                let all = items.flatMap { item in
                    [item.string(forType: .string), item.string(forType: .URL)].compactMap { $0 }
                }
                continuation.resume(returning: all.withoutRepeats)
            }
        }
    }

    /// Empties the pasteboard, if it is still the same one.
    public func clear(ifChangeCountIs changeCount: Int) async {
        guard NSPasteboard.general.changeCount == changeCount else { return }
        NSPasteboard.general.clearContents()
    }
}
#endif
