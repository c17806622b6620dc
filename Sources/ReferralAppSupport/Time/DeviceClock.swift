public import ReferralFoundation

#if canImport(Darwin)
import Darwin
#endif

/// The clock that the libraries use. Tests pass their own clock, so they don't have to wait.
///
/// The time is read on any thread. A bridge and an unlock center, which sleep, do that on the main actor.
public struct DeviceClock: Sendable {
    /// The current time, on the clock that stamps the taps.
    public var now: @Sendable () -> Timestamp

    /// The time since the device started, in seconds, including time asleep; `nil` if it isn't known.
    ///
    /// A pasteboard's change count starts over when the device starts, so a count from before a restart can't be
    /// compared.
    public var uptime: @Sendable () -> TimeInterval?

    /// Returns after a number of seconds, or when the task is canceled.
    public var sleep: @MainActor (TimeInterval) async -> Void

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - uptime: The time since the device started, in seconds; `nil` if it isn't known.
    ///   - sleep: Returns after a number of seconds, or when the task is canceled.
    public init(
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> TimeInterval? = { nil },
        sleep: @escaping @MainActor (TimeInterval) async -> Void = DeviceClock.system.sleep
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
    }

    /// The device's clock.
    public static let system = DeviceClock(
        now: { .now },
        uptime: { systemUptime },
        sleep: { seconds in
            // At most a year, which fits into a task's nanoseconds. Not a number counts as zero.
            let nanoseconds = seconds > 0 ? min(seconds, 31_536_000) * 1_000_000_000 : 0
            try? await Task.sleep(nanoseconds: UInt64(nanoseconds))
        }
    )

    /// The current moment on a clock that nobody sets, where there is one: milliseconds since the device started. It is only for
    /// waiting.
    package var steady: Timestamp { uptime().map { Timestamp(milliseconds: $0 * 1_000) } ?? now() }

    /// The present moment, for what decides by it.
    package var moment: DeviceMoment {
        DeviceMoment(now: now(), steady: steady, startOfDevice: uptime().map { now().advanced(by: -$0) })
    }

    private static var systemUptime: TimeInterval? {
        #if canImport(Darwin)
        // `ProcessInfo.systemUptime` stops while the device sleeps, so that every night would look like a restart.
        TimeInterval(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) / 1_000_000_000
        #else
        nil
        #endif
    }
}

/// A moment, as the device tells it.
package struct DeviceMoment: Sendable, Equatable {
    package var now: Timestamp
    /// On the clock of the deadlines, see ``DeviceClock/steady``.
    package var steady: Timestamp
    /// When the device started; `nil` if that isn't known.
    package var startOfDevice: Timestamp?

    package init(now: Timestamp, steady: Timestamp, startOfDevice: Timestamp? = nil) {
        self.now = now
        self.steady = steady
        self.startOfDevice = startOfDevice
    }
}
