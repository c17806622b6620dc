#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Dispatch

/// The general pasteboard, which all apps and web pages share.
///
/// All accesses run on one serial queue, except a Mac's search for patterns, which is already asynchronous. Each access can block for
/// seconds if the content is on another device, and a read blocks until the user answers the system's question. At most one thread is
/// blocked.
public struct SystemPasteboard: Pasteboard, Hashable {
    static let queue = DispatchQueue(label: "ReferralBridge.SystemPasteboard", qos: .userInitiated)

    /// Creates the general pasteboard.
    public init() {}

    static func onQueue<Value: Sendable>(_ access: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: access()) }
        }
    }
}
#endif
