internal import Dispatch
internal import Foundation
internal import SimulatedRuntime

/// Holds the threads that come to it until a test opens it.
package final class Latch: @unchecked Sendable {
    private let group = DispatchGroup()
    private let lock = NSLock()
    private var isOpen = false

    package init() { group.enter() }

    /// Waits until it is opened. A bug that blocks Swift's own threads fails a test in the end, and doesn't stop it.
    package func wait() { _ = group.wait(timeout: .now() + MainActorWatch.patience) }

    package func open() {
        lock.withLock {
            if !isOpen { group.leave() }
            isOpen = true
        }
    }
}
