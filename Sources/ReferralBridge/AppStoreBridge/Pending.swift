/// A value that callers wait for, each for a limited time.
@MainActor
final class Pending<Value: Sendable> {
    private let clock: DeviceClock
    private var value: Value?
    private var timers: [Task<Void, Never>] = []

    init(_ clock: DeviceClock) {
        self.clock = clock
    }

    /// The value; `nil` if the time is up before there is one.
    func value(within seconds: Double) async -> Value? {
        if value == nil {
            let timer = Task { [clock] in await clock.sleep(seconds) }
            timers.append(timer)
            await timer.value
            timers.removeAll { $0 == timer }
        }
        return value
    }

    /// Gives the value to everybody who waits.
    func resolve(_ value: Value) {
        self.value = value
        for timer in timers { timer.cancel() }
    }
}
