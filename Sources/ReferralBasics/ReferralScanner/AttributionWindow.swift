public import ReferralFoundation

/// The time that a tap counts.
///
/// Both times come from the same device's clock: the browser stamps the tap, and the app reads the current time. The
/// tolerance is only for a clock that was set in between.
public struct AttributionWindow: Sendable, Equatable {
    /// Five minutes, with a tolerance of 30 seconds.
    public static let standard = AttributionWindow(duration: 300)

    /// The time that a tap counts, in seconds. A tap of exactly this age has expired. To read an old log, it may be infinite, but not
    /// in an app: a clipboard outlives a restart and an uninstall.
    public let duration: TimeInterval

    /// The longest time, in seconds, by which a tap may be in the future. A tap at exactly this distance counts.
    public let clockTolerance: TimeInterval

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - duration: The time that a tap counts, in seconds, to the nearest microsecond.
    ///   - clockTolerance: The longest time, in seconds, by which a tap may be in the future, to the nearest
    ///     microsecond.
    public init(duration: TimeInterval, clockTolerance: TimeInterval = 30) {
        self.duration = duration
        self.clockTolerance = clockTolerance
    }
}

extension AttributionWindow {
    /// The duration in the payload's unit. It is rounded, since 1.001 seconds times a thousand is slightly less than
    /// 1,001 milliseconds.
    package var durationMilliseconds: Double { (duration * 1_000_000).rounded() / 1_000 }
    package var toleranceMilliseconds: Double { (clockTolerance * 1_000_000).rounded() / 1_000 }

    /// The verdict on a tap by itself.
    func verdict(on tap: Timestamp, now: Timestamp, reported: ReportedTaps) -> Verdict {
        if isFuture(tap, at: now) { return .fromTheFuture }
        // The comparison also fails if `now` isn't a number.
        guard now.milliseconds - tap.milliseconds < durationMilliseconds else { return .expired }
        return reported.contains(tap, at: now, within: self) ? .alreadyReported : .found
    }

    /// Whether a tap is in the future by more than the tolerance.
    package func isFuture(_ tap: Timestamp, at now: Timestamp) -> Bool {
        tap.milliseconds - now.milliseconds > toleranceMilliseconds
    }
}
