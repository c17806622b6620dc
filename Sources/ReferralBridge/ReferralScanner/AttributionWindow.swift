#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How long a tap counts.
///
/// The same device's clock measures both ends: the browser stamps the tap, and the app takes the present moment. The
/// tolerance covers a clock that was set in between, and nothing else.
public struct AttributionWindow: Sendable, Equatable {
    /// Five minutes, with a tolerance of 30 seconds.
    public static let standard = AttributionWindow(duration: 300)

    /// No tap is too old. Use it to read an old log, not in an app: a clipboard outlives a restart and an uninstall.
    public static let unlimited = AttributionWindow(duration: .infinity)

    /// How long a tap counts, in seconds. A tap of exactly this age has expired.
    public let duration: TimeInterval

    /// How far after the present moment a tap may lie, in seconds. A tap at exactly this distance counts.
    public let clockTolerance: TimeInterval

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - duration: How long a tap counts, in seconds, to the nearest microsecond.
    ///   - clockTolerance: How far after the present moment a tap may lie, in seconds, to the nearest microsecond.
    public init(duration: TimeInterval, clockTolerance: TimeInterval = 30) {
        self.duration = duration
        self.clockTolerance = clockTolerance
    }
}

extension AttributionWindow {
    /// The payload's unit. Rounded, since 1.001 seconds times a thousand are a little less than 1,001 milliseconds.
    var durationMilliseconds: Double { (duration * 1_000_000).rounded() / 1_000 }
    var toleranceMilliseconds: Double { (clockTolerance * 1_000_000).rounded() / 1_000 }

    /// The verdict on a tap by itself.
    package func verdict(on tap: Timestamp, now: Timestamp, lastReported: Timestamp?) -> Verdict {
        verdict(on: tap, now: now, reported: ReportedTaps(last: lastReported))
    }

    func verdict(on tap: Timestamp, now: Timestamp, reported: ReportedTaps) -> Verdict {
        if isFuture(tap, at: now) { return .fromTheFuture }
        // The comparison also fails where now isn't a number.
        guard now.milliseconds - tap.milliseconds < durationMilliseconds else { return .expired }
        return reported.contains(tap, at: now, within: self) ? .alreadyReported : .found
    }

    /// Whether a tap lies more than the tolerance after the present moment.
    func isFuture(_ tap: Timestamp, at now: Timestamp) -> Bool {
        tap.milliseconds - now.milliseconds > toleranceMilliseconds
    }
}
