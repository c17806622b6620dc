/// How long a tap counts.
///
/// Both ends are measured on the same device's clock, the tap by the browser and now by the app, so the tolerance covers a
/// clock that was set in between and nothing more.
public struct AttributionWindow: Sendable, Hashable {
    /// Five minutes, with a tolerance of 30 seconds.
    public static let standard = AttributionWindow(seconds: 300)

    /// No tap is too old. For reading an old log, not for an app: a clipboard outlives a restart and an uninstall.
    public static let unlimited = AttributionWindow(seconds: .infinity)

    /// How long a tap counts, in seconds. A tap of exactly this age has expired.
    public let seconds: Double

    /// How far after now a tap may lie, in seconds. A tap of exactly this distance passes.
    public let clockTolerance: Double

    /// A window.
    ///
    /// - Parameters:
    ///   - seconds: How long a tap counts, to the nearest microsecond.
    ///   - clockTolerance: How many seconds after now a tap may lie, to the nearest microsecond.
    public init(seconds: Double, clockTolerance: Double = 30) {
        self.seconds = seconds
        self.clockTolerance = clockTolerance
    }
}

extension AttributionWindow {
    /// The payload's unit. Rounded, since 1.001 seconds times a thousand are a little less than 1,001 milliseconds.
    var milliseconds: Double { (seconds * 1_000_000).rounded() / 1_000 }
    var toleranceMilliseconds: Double { (clockTolerance * 1_000_000).rounded() / 1_000 }

    /// The verdict on a tap by itself.
    package func verdict(on tap: Timestamp, now: Timestamp, reported: Timestamp?) -> Verdict {
        let age = now.milliseconds - tap.milliseconds
        if age < -toleranceMilliseconds { return .fromTheFuture }
        // Also where now is no number.
        guard age < milliseconds else { return .expired }
        let wasReported = trusted(reported: reported, now: now).map { tap <= $0 } ?? false
        return wasReported ? .alreadyReported : .found
    }

    /// A reported tap, if it counts: one beyond now and the tolerance came from a wrong clock.
    func trusted(reported: Timestamp?, now: Timestamp) -> Timestamp? {
        reported.flatMap { $0.milliseconds - now.milliseconds > toleranceMilliseconds ? nil : $0 }
    }
}
