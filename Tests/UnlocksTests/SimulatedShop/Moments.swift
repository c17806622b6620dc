import Foundation
import Unlocks

/// The bounds of what the app may take for the present moment, worked out from the clocks and from what the store has signed.
///
/// The app may have missed a moment that it was told, or a moment may be lost with the process. So the bounds are exact only
/// if all went well.
struct Moments {
    /// A clock that was ahead of a newly signed moment by more than this is corrected, in seconds.
    static let lead = 48 * 3_600.0
    /// The clock is written down this often, in seconds, and a moment is rounded.
    private static let pause = 600.1

    /// The bounds of the latest moment that the app remembers.
    private(set) var low = Date.distantPast
    private(set) var high = Date.distantPast
    /// The highest moment of all that the app may have taken for the present one.
    private(set) var peak = Date.distantPast
    /// What the app remembers at least after its process has ended.
    private var written = Date.distantPast
    /// What the store has signed, and the latest of it that the app has recorded for sure.
    private var signed: [StoreEnvironment: [Date]] = [:]
    private var recorded: [StoreEnvironment: Date] = [:]
    private var latest = Date.distantPast
    /// The highest moment on the device's clock since the store's latest signature.
    private var shown = Date.distantPast

    /// The bounds of the present moment.
    func now(at clock: Date, in environment: StoreEnvironment) -> ClosedRange<Date> {
        let low = max(low, clock, recorded[environment] ?? .distantPast)
        return low...max(low, high)
    }

    /// The device's clock shows a moment, which a process may see.
    mutating func show(_ clock: Date) {
        shown = max(shown, clock)
        high = max(high, clock)
        peak = max(peak, high)
    }

    /// The app sees the device's clock.
    mutating func see(_ clock: Date) {
        show(clock)
        low = max(low, clock)
    }

    /// The store signs something.
    mutating func sign(_ moment: Date, in environment: StoreEnvironment, at clock: Date) {
        signed[environment, default: []].append(moment)
        (latest, shown) = (moment, clock)
        show(max(moment, clock))
        shown = clock
    }

    /// The app has recorded a signed moment, and so a clock that was far ahead of it is corrected.
    mutating func record(_ moment: Date, in environment: StoreEnvironment) {
        if moment == latest { high = max(low, min(high, max(moment + Self.lead, shown))) }
        recorded[environment] = max(recorded[environment] ?? moment, moment)
    }

    /// The app may have heard what the store has signed, and have corrected its clock.
    ///
    /// - Returns: The earliest moment to which it may be corrected.
    @discardableResult
    mutating func mayBeCorrected(at clock: Date) -> Date? {
        var earliest: Date?
        for (environment, moments) in signed {
            let known = recorded[environment] ?? .distantPast
            guard let first = moments.first(where: { $0 > known && high > $0 + Self.lead }) else { continue }
            earliest = min(earliest ?? .distantFuture, max(first, clock))
        }
        if let earliest { (low, written) = (min(low, earliest), min(written, earliest)) }
        return earliest
    }

    /// What the app remembers is on the disk.
    mutating func write() { written = max(written, low - Self.pause) }

    /// The process has ended.
    mutating func end() { low = written }

    /// The journal is lost.
    mutating func lose() { (low, written, recorded) = (.distantPast, .distantPast, [:]) }
}
