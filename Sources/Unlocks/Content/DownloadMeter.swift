import Foundation

/// Adds up what is loaded of several files. It reports at most each thousandth.
final class DownloadMeter: @unchecked Sendable {
    private let lock = NSLock()
    private let total: Int
    private var (done, reported) = (0, -1)
    private let reports: AsyncStream<DownloadProgress>.Continuation

    init(_ done: Int, of total: Int, _ reports: AsyncStream<DownloadProgress>.Continuation) {
        (self.total, self.reports) = (total, reports)
        add(done)
    }

    /// Adds bytes, or subtracts those that were dropped.
    func add(_ count: Int) {
        lock.withLock {
            done += count
            let thousandths = done * 1_000 / max(total, 1)
            guard thousandths != reported else { return }
            reported = thousandths
            reports.yield(DownloadProgress(completedBytes: done, totalBytes: total))
        }
    }
}
