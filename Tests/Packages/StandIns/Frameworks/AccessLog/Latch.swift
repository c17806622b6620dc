internal import Dispatch
internal import Foundation

/// Holds the threads that come to it until a test opens it.
package final class Latch: @unchecked Sendable {
    private let group = DispatchGroup()
    private let lock = NSLock()
    private var isOpen = false

    package init() { group.enter() }

    /// Waits for a few seconds at most, so that a bug that blocks Swift's own threads fails a test and doesn't stop it.
    package func wait() { _ = group.wait(timeout: .now() + 5) }

    package func open() {
        lock.withLock {
            if !isOpen { group.leave() }
            isOpen = true
        }
    }
}
