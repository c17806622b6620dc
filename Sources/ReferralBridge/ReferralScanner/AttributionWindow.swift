/// How long a tap counts.
///
/// Both ends are measured on the same device's clock, the tap by the browser and now by the app, so the tolerance covers a
/// clock that was set in between and nothing more.
public struct AttributionWindow: Sendable, Hashable {
    /// Five minutes, with a tolerance of 30 seconds.
    public static let standard = AttributionWindow(seconds: 300)

    /// No tap is too old. For reading an old log, not for an app: a clipboard outlives a restart and an uninstall.
    public static let unlimited = AttributionWindow(milliseconds: .infinity)

    /// How long a tap counts, in milliseconds. A tap of exactly this age has expired.
    public let milliseconds: Double

    /// How far after now a tap may lie, in milliseconds. A tap of exactly this distance passes.
    public let clockTolerance: Double

    /// A window in milliseconds, the unit of the payload.
    public init(milliseconds: Double, clockTolerance: Double = 30_000) {
        self.milliseconds = milliseconds
        self.clockTolerance = clockTolerance
    }

    /// A window in seconds, to the nearest microsecond.
    public init(seconds: Double, clockTolerance: Double = 30) {
        func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000_000).rounded() / 1_000 }
        self.init(milliseconds: milliseconds(seconds), clockTolerance: milliseconds(clockTolerance))
    }

    /// Why a tap is outside of the window, or `nil` where it is inside.
    func verdict(onAge age: Double) -> Verdict? {
        if age < -clockTolerance { return .fromTheFuture }
        return age < milliseconds ? nil : .expired
    }

    /// The newest reported tap that counts: one beyond now and the tolerance came from a wrong clock.
    func trusted(reported: Timestamp?, now: Timestamp) -> Timestamp? {
        reported.flatMap { $0.milliseconds - now.milliseconds > clockTolerance ? nil : $0 }
    }
}
