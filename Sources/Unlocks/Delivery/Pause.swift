import ReferralFoundation

/// A pause before a retry. It ends early if the clock is set back.
struct Pause {
    let start: Date
    let end: Date

    /// The length of a pause in seconds, by the number of failures before the last one: 1, 2, 4, up to an hour.
    static func seconds(after failures: Int) -> Double { min(Double(1 << min(failures, 12)), 3_600) }

    /// Creates a pause whose length doubles with each failure.
    init(after failures: Int, at now: Date) { self.init(seconds: Self.seconds(after: failures), at: now) }

    init(seconds: Double, at now: Date) {
        start = now
        end = now + seconds
    }

    /// The remaining seconds.
    func rest(at now: Date) -> Double { now < start ? 0 : max(0, end.timeIntervalSince(now)) }
}
