import ReferralBridge
import SimulatedRuntime

/// The device's clock, and those who wait for it: apps, and what the simulation itself lets take time.
@MainActor
final class SimulatedClock {
    /// The moment that the clock shows.
    private(set) var now = Timestamp(milliseconds: 1_795_219_200_000)
    /// When the device started, on the clock as it is set now.
    private var start = Timestamp(milliseconds: 1_795_219_200_000)
    /// Called before the clock wakes an app; the result is called once everything has run that can.
    var willWake: ((_ app: ObjectIdentifier, _ seconds: [Double]) -> () -> Void)?

    /// Who waits.
    enum Waiter {
        /// The app itself.
        case app
        /// A delivery or the disk, for which the simulation lets time pass.
        case work
        /// A request, which ends if it is cancelled.
        case line
    }

    private struct Sleeper {
        let app: ObjectIdentifier
        let waiter: Waiter
        let seconds: Double
        var end: Timestamp
        let continuation: CheckedContinuation<Void, Never>
    }

    /// By number, which is the order in which they came. A task that is canceled doesn't wait any more, except for work.
    private var sleepers: [Int: Sleeper] = [:]
    private var count = 0
    /// How often an app was woken.
    private(set) var wakings = 0

    /// The clock for an app. It is read only on the main actor.
    func clock(of app: ObjectIdentifier) -> DeviceClock {
        DeviceClock(
            now: { MainActor.assumeIsolated { self.now } },
            uptime: { MainActor.assumeIsolated { (self.now.milliseconds - self.start.milliseconds) / 1_000 } },
            sleep: { await self.sleep($0, of: app, for: .app) }
        )
    }

    /// Sets the clock, as a person does. What waits for a duration waits as long as before.
    func set(to moment: Timestamp) {
        let seconds = (moment.milliseconds - now.milliseconds) / 1_000
        (now, start) = (moment, start.advanced(by: seconds))
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
            let apps = Dictionary(grouping: due.filter { $0.waiter == .app }, by: \.app)
            if !apps.isEmpty { wakings += 1 }
            precondition(wakings < 1_000_000, "the app wakes up again and again")
            let checks = apps.compactMap { willWake?($0.key, $0.value.map(\.seconds)) }
            wake { $0.end <= next }
            JobQueue.drain()
            for check in checks { check() }
        }
        now = end
    }

    func sleep(_ seconds: Double, of app: ObjectIdentifier, for waiter: Waiter) async {
        count += 1
        let (number, end) = (count, now.advanced(by: seconds))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled, waiter != .work { return continuation.resume() }
                sleepers[number] = Sleeper(
                    app: app,
                    waiter: waiter,
                    seconds: seconds,
                    end: end,
                    continuation: continuation
                )
            }
        } onCancel: {
            guard waiter != .work else { return }
            MainActor.assumeIsolated { sleepers.removeValue(forKey: number)?.continuation.resume() }
        }
    }

    /// Ends all waiting in an app, or only what the simulation lets take time.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    func wakeAll(of app: ObjectIdentifier, exceptApp: Bool = false) -> Bool {
        wake { $0.app == app && !(exceptApp && $0.waiter == .app) }
    }

    /// Whether a delivery or the disk takes time in an app.
    func isBusy(_ app: ObjectIdentifier) -> Bool { sleepers.values.contains { $0.app == app && $0.waiter == .work } }

    @discardableResult
    private func wake(_ isDue: (Sleeper) -> Bool) -> Bool {
        let due = sleepers.filter { isDue($0.value) }
        for number in due.keys.sorted() { sleepers.removeValue(forKey: number)?.continuation.resume() }
        return !due.isEmpty
    }
}
