#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Dispatch
import Foundation
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension FileSystem {
    /// Reads a file while no other process writes it, and once the system has brought it onto the device.
    ///
    /// A coordinated read blocks its thread for as long as a download takes. So it runs on a queue: not on the main thread, and
    /// not on one of the threads that Swift runs tasks on.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - read: Reads the file from where the coordinator says it is, which may be elsewhere.
    /// - Returns: What `read` returns, or the coordinator's error.
    static func coordinateReading<Value: Sendable>(
        _ url: URL,
        _ read: @escaping @Sendable (_ place: URL) -> Result<Value, HandoffError>
    ) async -> Result<Value, HandoffError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                var result: Result<Value, HandoffError>?
                var error: NSError?
                // The coordinator calls the closure before it returns, or reports an error and doesn't call it.
                let coordinator = NSFileCoordinator(filePresenter: nil)
                coordinator.coordinate(readingItemAt: url, error: &error) { result = read($0) }
                let reason = error?.localizedDescription ?? "the file couldn't be coordinated"
                let failure = HandoffError.fileFailed(path: url.lastPathComponent, reason: reason)
                continuation.resume(returning: result ?? .failure(failure))
            }
        }
    }
}
#endif
