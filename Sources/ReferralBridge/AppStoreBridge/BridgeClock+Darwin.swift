#if canImport(Darwin)
import Darwin
import Foundation

extension BridgeClock {
    /// Not `ProcessInfo.systemUptime`, which stands still while the device sleeps: every night would look like a restart.
    static var systemUptime: TimeInterval? {
        TimeInterval(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) / 1_000_000_000
    }
}
#endif
