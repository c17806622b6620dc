/// A pause, in seconds. It is over if the clock is set back to a time before it.
struct Pause: Codable, Equatable, Sendable {
    /// The longest pause, whatever a guestbook asks for, and whatever a damaged file says: 7 days.
    static let maximum = 604_800.0

    let start: Timestamp
    let seconds: Double

    /// The pause after a number of consecutive failures, from 1: 1, 2, 4 seconds, up to an hour.
    init(afterFailure count: Int, at now: Timestamp) {
        self.init(seconds: Backoff.seconds(after: count - 1), at: now)
    }

    /// A pause of at most ``maximum`` seconds.
    init(seconds: Double, at now: Timestamp) {
        // Not a number counts as zero.
        start = now
        self.seconds = seconds > 0 ? min(seconds, Self.maximum) : 0
    }

    /// The remaining seconds.
    func rest(at now: Timestamp) -> Double {
        now < start ? 0 : max(0, (start.milliseconds + min(seconds, Self.maximum) * 1_000 - now.milliseconds) / 1_000)
    }
}

extension Pause? {
    func rest(at now: Timestamp) -> Double { self?.rest(at: now) ?? 0 }
}
