// What DeviceClock asks of the kernel.

public struct clockid_t: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public var CLOCK_MONOTONIC_RAW: clockid_t { clockid_t(4) }

/// Nanoseconds; zero, with `errno` set, for a clock that there isn't.
public func clock_gettime_nsec_np(_ clock_id: clockid_t) -> UInt64 {
    clock_id == CLOCK_MONOTONIC_RAW ? nanosecondsSinceStart : 0
}

/// What a test says.
public nonisolated(unsafe) var nanosecondsSinceStart: UInt64 = 86_400_000_000_000
