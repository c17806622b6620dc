#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Dispatch
import Foundation
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension FileSystem {
    /// Reads a file while no other process writes it, after the system has downloaded it to the device. A file in another app's
    /// folder can be read only within its security scope.
    ///
    /// A coordinated read blocks its thread during a download. So it runs on a queue, not on the main thread or on a
    /// thread of Swift's tasks.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - read: Reads the file at the coordinator's address, which may differ.
    /// - Returns: The result of `read`.
    /// - Throws: The error of `read`, or the coordinator's.
    static func coordinateReading<Value: Sendable>(
        _ url: URL,
        _ read: @escaping @Sendable (_ place: URL) throws(HandoffError) -> Value
    ) async throws(HandoffError) -> Value {
        let hasScope = url.startAccessingSecurityScopedResource()
        defer { if hasScope { url.stopAccessingSecurityScopedResource() } }
        let result: Result<Value, HandoffError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                var result: Result<Value, HandoffError>?
                var error: NSError?
                // The coordinator calls the closure before it returns, or reports an error and doesn't call it.
                let coordinator = NSFileCoordinator(filePresenter: nil)
                coordinator.coordinate(readingItemAt: url, error: &error) { place in
                    result = Result { () throws(HandoffError) in try read(place) }
                }
                let reason = error?.localizedDescription ?? "the file couldn't be coordinated"
                let failure = HandoffError.fileFailed(path: url.lastPathComponent, reason: reason)
                continuation.resume(returning: result ?? .failure(failure))
            }
        }
        return try result.get()
    }
}
#endif
