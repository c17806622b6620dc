/// A value that callers wait for, each for a limited time.
@MainActor
final class Pending<Value: Sendable> {
    private let signal: TimedSignal
    private var value: Value?

    init(_ clock: BridgeClock) {
        signal = TimedSignal(clock)
    }

    /// The value; `nil` if the time is up before there is one.
    func value(within seconds: Double) async -> Value? {
        if value == nil { await signal.wait(seconds) }
        return value
    }

    /// Gives the value to everybody who waits.
    func resolve(_ value: Value) {
        self.value = value
        signal.send()
    }
}

/// The part of waiting that is the same for every kind of value.
@MainActor
private final class TimedSignal {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        let timer: Task<Void, Never>
    }

    private let clock: BridgeClock
    private var waiters: [Int: Waiter] = [:]
    private var nextID = 0

    init(_ clock: BridgeClock) {
        self.clock = clock
    }

    /// Returns at the signal, or when the time is up.
    func wait(_ seconds: Double) async {
        let id = nextID
        nextID += 1
        await withCheckedContinuation { continuation in
            let timer = Task {
                await clock.sleep(seconds)
                waiters.removeValue(forKey: id)?.continuation.resume()
            }
            waiters[id] = Waiter(continuation: continuation, timer: timer)
        }
    }

    /// Wakes everybody who waits.
    func send() {
        let waiters = waiters.values
        self.waiters = [:]
        for waiter in waiters {
            waiter.timer.cancel()
            waiter.continuation.resume()
        }
    }
}
