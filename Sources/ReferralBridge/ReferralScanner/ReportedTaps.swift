/// The taps that were reported before.
struct ReportedTaps: Sendable, Equatable {
    /// More than any clipboard brings within an attribution window.
    private static let maximumRecent = 32

    /// The newest tap that was reported. Every tap up to this one counts as reported.
    ///
    /// A tap that was in the future when it was reported says nothing about the taps before it, so it is only in ``recent``.
    private(set) var last: Timestamp?

    /// The taps that were reported most recently. Each counts as reported by itself, whatever the clock says.
    private(set) var recent: [Timestamp] = []

    /// Whether a tap was reported. A last tap from beyond the tolerance came from a wrong clock, and is ignored.
    func contains(_ tap: Timestamp, at now: Timestamp, within window: AttributionWindow) -> Bool {
        if recent.contains(tap) { return true }
        guard let last, !window.isFuture(last, at: now) else { return false }
        return tap <= last
    }

    /// Remembers a tap that was reported at a moment.
    mutating func insert(_ tap: Timestamp, at now: Timestamp, within window: AttributionWindow) {
        insertRecent([tap])
        if tap <= now { insertLast(tap, at: now, within: window) }
    }

    /// Remembers what another bridge reported.
    mutating func formUnion(_ other: ReportedTaps, at now: Timestamp, within window: AttributionWindow) {
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
