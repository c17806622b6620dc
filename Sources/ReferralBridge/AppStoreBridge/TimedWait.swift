#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that several callers wait for, each of them for a limited time.
@MainActor
final class TimedWait<Value: Sendable> {
    private struct Waiter {
        let continuation: CheckedContinuation<Value, Never>
        let timer: Task<Void, Never>
    }

    private let clock: BridgeClock
    private var waiters: [Int: Waiter] = [:]
    private var nextID = 0

    init(_ clock: BridgeClock) {
        self.clock = clock
    }

    /// The next value, or another one, worked out when the time is up before there is one.
    func next(within seconds: TimeInterval, otherwise late: @escaping @MainActor () -> Value) async -> Value {
        let id = nextID
        nextID += 1
        return await withCheckedContinuation { continuation in
            let timer = Task {
                await clock.sleep(seconds)
                waiters.removeValue(forKey: id)?.continuation.resume(returning: late())
            }
            waiters[id] = Waiter(continuation: continuation, timer: timer)
        }
    }

    /// Gives a value to everybody who waits.
    func resume(returning value: Value) {
        let waiters = waiters.values
        self.waiters = [:]
        for waiter in waiters {
            waiter.timer.cancel()
            waiter.continuation.resume(returning: value)
        }
    }
}
