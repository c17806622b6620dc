#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Dispatch

extension SystemPasteboard {
    /// The queue of every access, since each can block for seconds.
    static let queue = DispatchQueue(label: "ReferralBridge.SystemPasteboard", qos: .userInitiated)

    static func onQueue<Value: Sendable>(_ access: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: access()) }
        }
    }
}
#endif
