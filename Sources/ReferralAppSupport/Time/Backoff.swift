package import ReferralFoundation

/// How long to wait before something that failed is tried again.
package enum Backoff {
    /// The pause in seconds, by the number of failures before the last one: 1, 2, 4, up to an hour.
    package static func seconds(after failures: Int) -> TimeInterval {
        min(TimeInterval(1 << min(failures, 12)), 3_600)
    }
}
