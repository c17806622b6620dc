#if canImport(Darwin)
import Darwin
import Foundation

extension BridgeClock {
    /// `ProcessInfo.systemUptime` stops while the device sleeps, so that every night would look like a restart.
    static var systemUptime: TimeInterval? {
        TimeInterval(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) / 1_000_000_000
    }
}
#endif
