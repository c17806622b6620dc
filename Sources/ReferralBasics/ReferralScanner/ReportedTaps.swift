/// The taps that were reported before.
package struct ReportedTaps: Sendable, Equatable, Codable {
    /// How many taps are remembered: more than a clipboard can contain within an attribution window.
    private static let maximumRecent = 32

    /// The newest reported tap. Every tap up to this one counts as reported.
    ///
    /// If a tap was in the future when it was reported, taps before it may not have been reported, so it is only in
    /// ``recent``.
    package private(set) var last: Timestamp?

    /// The most recently reported taps. Each one counts as reported by itself, whatever the current time.
    package private(set) var recent: [Timestamp] = []

    package init(last: Timestamp? = nil, recent: [Timestamp] = []) { (self.last, self.recent) = (last, recent) }

    /// Whether a tap was reported. If ``last`` is in the future by more than the tolerance, it has a wrong clock and is
    /// ignored.
    package func contains(_ tap: Timestamp, at now: Timestamp, within window: AttributionWindow) -> Bool {
        if recent.contains(tap) { return true }
        guard let last, !window.isFuture(last, at: now) else { return false }
        return tap <= last
    }

    /// Records a tap that was reported at this moment.
    package mutating func insert(_ tap: Timestamp, at now: Timestamp, within window: AttributionWindow) {
        insertRecent([tap])
        if tap <= now { insertLast(tap, at: now, within: window) }
    }

    /// Adds the taps that another bridge reported.
    package mutating func formUnion(_ other: ReportedTaps, at now: Timestamp, within window: AttributionWindow) {
        insertRecent(other.recent)
        if let tap = other.last { insertLast(tap, at: now, within: window) }
    }

    private mutating func insertLast(_ tap: Timestamp, at now: Timestamp, within window: AttributionWindow) {
        let other = last ?? tap
        last = window.isFuture(max(other, tap), at: now) ? min(other, tap) : max(other, tap)
    }

    private mutating func insertRecent(_ taps: [Timestamp]) {
        for tap in taps where !recent.contains(tap) { recent.append(tap) }
        while recent.count > Self.maximumRecent { recent.remove(at: 0) }
    }
}
