package import Foundation
package import ReferralBridge
import SimulatedRuntime

/// A clock that stands still until a test moves it. A sleep ends when the clock reaches its end, or when its task is cancelled.
package final class TestClock: @unchecked Sendable {
    private struct Sleeper {
        let end: Timestamp
        let seconds: Double
        let continuation: CheckedContinuation<Void, Never>
    }

    private let lock = NSLock()
    private let endsSleeps: Bool
    private let longestSkipped: Double
    private let uptime: @Sendable () -> TimeInterval?
    private var moment: Timestamp
    private var sleepers: [UUID: Sleeper] = [:]

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: The moment at which it stands.
    ///   - endsSleeps: Whether sleeps end when the clock reaches their ends. If not, ``endSleeps()`` ends them.
    ///   - longestSkipped: The length of the longest sleep that takes no time, in seconds. The clock moves to its end at once.
    ///   - uptime: The time since the device started, in seconds.
    package init(
        _ now: Timestamp = Timestamp(milliseconds: 1_795_224_750_690),
        endsSleeps: Bool = true,
        skippingUpTo longestSkipped: Double = 0,
        uptime: @escaping @Sendable () -> TimeInterval? = { nil }
    ) {
        moment = now
        self.endsSleeps = endsSleeps
        self.longestSkipped = longestSkipped
        self.uptime = uptime
    }

    package var clock: DeviceClock {
        DeviceClock(now: { self.now }, uptime: uptime, sleep: { await self.sleep($0) })
    }

    package var now: Timestamp {
        get { lock.withLock { moment } }
        set {
            let woken = lock.withLock {
                moment = newValue
                let woken = sleepers.filter { endsSleeps && $0.value.end <= newValue }
                for id in woken.keys { sleepers[id] = nil }
                return woken.values
            }
            for sleeper in woken { sleeper.continuation.resume() }
        }
    }

    /// The same in milliseconds, for boundaries that seconds would round.
    package var milliseconds: Double {
        get { now.milliseconds }
        set { now = Timestamp(milliseconds: newValue) }
    }

    /// How many sleep now.
    package var sleeping: Int { lock.withLock { sleepers.count } }

    /// Ends every sleep, however long it is, or those of so many seconds.
    package func endSleeps(of seconds: Double? = nil) {
        let ended = lock.withLock {
            let ended = sleepers.filter { seconds == nil || $0.value.seconds == seconds }
            for id in ended.keys { sleepers[id] = nil }
            return ended.values
        }
        for sleeper in ended { sleeper.continuation.resume() }
    }

    private func sleep(_ seconds: Double) async {
        if endsSleeps, seconds <= longestSkipped {
            if !Task.isCancelled { now = now.advanced(by: max(0, seconds)) }
            return
        }
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.withLock {
                    guard !Task.isCancelled else { return true }
                    let end = moment.advanced(by: seconds)
                    sleepers[id] = Sleeper(end: end, seconds: seconds, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
                MainActorWatch.changed()
            }
        } onCancel: {
            lock.withLock { sleepers.removeValue(forKey: id) }?.continuation.resume()
            MainActorWatch.changed()
        }
    }
}
