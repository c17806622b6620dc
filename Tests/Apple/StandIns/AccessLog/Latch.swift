internal import Foundation

/// Holds the threads that come to it until a test opens it.
public final class Latch: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false

    public init() {}

    /// Waits for a few seconds at most, so that a bug that blocks Swift's own threads fails a test and doesn't stop it.
    public func wait() {
        let deadline = Date(timeIntervalSinceNow: 5)
        condition.withLock {
            while !isOpen, condition.wait(until: deadline) {}
        }
    }

    public func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }
}
