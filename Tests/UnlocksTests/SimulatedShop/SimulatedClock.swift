import ReferralBridge
import SimulatedRuntime

/// The device's clock, and those who wait for it: apps, and what the simulation itself lets take time.
@MainActor
final class SimulatedClock {
    /// The moment that the clock shows.
    private(set) var now = Timestamp(milliseconds: 1_795_219_200_000)
    /// Called before the clock wakes an app; the result is called once everything has run that can.
    var willWake: ((_ app: ObjectIdentifier, _ seconds: [Double]) -> () -> Void)?

    private struct Sleeper {
        let app: ObjectIdentifier
        let isApp: Bool
        let seconds: Double
        var end: Timestamp
        let continuation: CheckedContinuation<Void, Never>
    }

    /// By number, which is the order in which they came. A task that is canceled doesn't wait any more.
    private var sleepers: [Int: Sleeper] = [:]
    private var count = 0
    /// How often an app was woken.
    private(set) var wakings = 0

    /// The clock for an app. It is read only on the main actor.
    func clock(of app: ObjectIdentifier) -> DeviceClock {
        DeviceClock(
            now: { MainActor.assumeIsolated { self.now } },
            sleep: { await self.sleep($0, of: app, isApp: true) }
        )
    }

    /// Sets the clock, as a person does. What waits for a duration waits as long as before.
    func set(to moment: Timestamp) {
        let seconds = (moment.milliseconds - now.milliseconds) / 1_000
        now = moment
        for (number, sleeper) in sleepers { sleepers[number]?.end = sleeper.end.advanced(by: seconds) }
    }

    /// Moves the clock, and with it what is due.
    func jump(to moment: Timestamp) { now = moment }

    /// Lets time pass, and what is due happen.
    func wait(_ seconds: Double) {
        JobQueue.drain()
        let end = now.advanced(by: seconds)
        while let next = sleepers.values.map(\.end).min(), next <= end {
            now = max(now, next)
            let due = sleepers.values.filter { $0.end <= next }
            let apps = Dictionary(grouping: due.filter(\.isApp), by: \.app)
            if !apps.isEmpty { wakings += 1 }
            precondition(wakings < 1_000_000, "the app wakes up again and again")
            let checks = apps.compactMap { willWake?($0.key, $0.value.map(\.seconds)) }
            wake { $0.end <= next }
            JobQueue.drain()
            for check in checks { check() }
        }
        now = end
    }

    func sleep(_ seconds: Double, of app: ObjectIdentifier, isApp: Bool) async {
        count += 1
        let (number, end) = (count, now.advanced(by: seconds))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                sleepers[number] = Sleeper(
                    app: app,
                    isApp: isApp,
                    seconds: seconds,
                    end: end,
                    continuation: continuation
                )
            }
        } onCancel: {
            MainActor.assumeIsolated { sleepers.removeValue(forKey: number)?.continuation.resume() }
        }
    }

    /// Ends all waiting in an app, or only what the simulation lets take time.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    func wakeAll(of app: ObjectIdentifier, isApp: Bool? = nil) -> Bool {
        wake { $0.app == app && (isApp == nil || $0.isApp == isApp) }
    }

    /// Whether something that the simulation lets take time is underway in an app.
    func isBusy(_ app: ObjectIdentifier) -> Bool { sleepers.values.contains { $0.app == app && !$0.isApp } }

    @discardableResult
    private func wake(_ isDue: (Sleeper) -> Bool) -> Bool {
        let due = sleepers.filter { isDue($0.value) }
        for number in due.keys.sorted() { sleepers.removeValue(forKey: number)?.continuation.resume() }
        return !due.isEmpty
    }
}
