#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

extension SystemPasteboard {
    /// A number that changes each time the content of the pasteboard changes, and starts over when the Mac starts.
    public var changeCount: Int? {
        get async { await Self.onQueue { NSPasteboard.general.changeCount } }
    }

    /// Whether there is an address, or text that looks like one. The system reports this without a prompt.
    ///
    /// - Throws: ``PasteboardError/accessDenied`` since macOS 15.4, if the user has chosen in System Settings that the
    ///   app may never paste from other apps.
    public func mayHoldLink() async throws -> Bool {
        if #available(macOS 15.4, *) {
            // A read would return nothing without a prompt, as if the pasteboard were empty.
            let isDenied = await Self.onQueue { NSPasteboard.general.accessBehavior == .alwaysDeny }
            if isDenied { throw PasteboardError.accessDenied }
        }
        if await Self.onQueue({ NSPasteboard.general.availableType(from: [.URL]) != nil }) { return true }
        guard #available(macOS 15.4, *) else {
            // Versions of macOS that can't detect patterns don't prompt for a read.
            return await Self.onQueue { NSPasteboard.general.availableType(from: [.string]) != nil }
        }
        let general = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: NSPasteboard.general) }
        }
        return try await general.detectedPatterns(for: [\.probableWebURL]).contains(\.probableWebURL)
    }

    /// Reads the texts and the addresses. May prompt since macOS 15.4.
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
}
#endif
