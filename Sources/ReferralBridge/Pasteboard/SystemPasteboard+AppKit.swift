#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

/// The general pasteboard: what people copy to, in any app and on the web.
///
/// Every access runs on one queue, one after the other, except the search for patterns, which is asynchronous by itself.
/// Another device's clipboard can block each of them for seconds, and a read may block for as long as the system asks the
/// person. At most one thread is blocked.
public struct SystemPasteboard: Pasteboard, Hashable {
    /// Creates the general pasteboard.
    public init() {}

    /// Changes with each new content of the pasteboard, and begins again when the Mac starts.
    public var changeCount: Int? {
        get async { await Self.onQueue { NSPasteboard.general.changeCount } }
    }

    /// Whether there is an address, or text that looks like one. The system tells this without asking the person.
    ///
    /// - Throws: ``PasteboardError/accessDenied`` from macOS 15.4 on, if the person has chosen in System Settings that the
    ///   app may never paste from other apps.
    public func mayHoldLink() async throws -> Bool {
        if #available(macOS 15.4, *) {
            // A read would give nothing and ask nobody, as if the pasteboard were empty.
            let isDenied = await Self.onQueue { NSPasteboard.general.accessBehavior == .alwaysDeny }
            if isDenied { throw PasteboardError.accessDenied }
        }
        if await Self.onQueue({ NSPasteboard.general.availableType(from: [.URL]) != nil }) { return true }
        guard #available(macOS 15.4, *) else {
            // Before macOS could tell one text from another, reading asked nobody.
            return await Self.onQueue { NSPasteboard.general.availableType(from: [.string]) != nil }
        }
        let general = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: NSPasteboard.general) }
        }
        return try await general.detectedPatterns(for: [\.probableWebURL]).contains(\.probableWebURL)
    }

    /// The texts and the addresses. May ask the person from macOS 15.4 on.
    public func contents() async throws -> PasteboardContents {
        await Self.onQueue {
            let pasteboard = NSPasteboard.general
            let changeCount = pasteboard.changeCount
            let strings = (pasteboard.pasteboardItems ?? []).flatMap { item in
                [item.string(forType: .string), item.string(forType: .URL)].compactMap { $0 }
            }
            return PasteboardContents(strings: strings, changeCount: changeCount)
        }
    }

    /// Empties the pasteboard, if its change count is still this one.
    public func clear(ifChangeCountIs changeCount: Int) async {
        await Self.onQueue {
            if NSPasteboard.general.changeCount == changeCount { NSPasteboard.general.clearContents() }
        }
    }
}
#endif
