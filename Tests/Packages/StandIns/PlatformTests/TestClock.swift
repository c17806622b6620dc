import Foundation
import ReferralBridge

/// A clock that doesn't move, and whose sleeps end when a test says so.
final class TestClock: @unchecked Sendable {
    private let lock = NSLock()
    private var moment = Fixture.now
    private var sleepers: [UUID: CheckedContinuation<Void, Never>] = [:]

    var clock: DeviceClock {
        DeviceClock(now: { self.now }, uptime: DeviceClock.system.uptime, sleep: { _ in await self.sleep() })
    }

    var now: Timestamp {
        get { lock.withLock { moment } }
        set { lock.withLock { moment = newValue } }
    }

    /// How many wait for a time limit or for a retry.
    var sleeping: Int { lock.withLock { sleepers.count } }

    /// Every time limit is over.
    func endSleeps() {
        let ended = lock.withLock {
            defer { sleepers = [:] }
            return sleepers.values
        }
        ended.forEach { $0.resume() }
    }

    private func sleep() async {
        let id = UUID()
        // So that a bug fails a test instead of holding it for ever.
        let alarm = Task {
            try await Task.sleep(for: patience)
            wake(id)
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = lock.withLock {
                    let isCancelled = Task.isCancelled
                    if !isCancelled { sleepers[id] = continuation }
                    return isCancelled
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: UUID) {
        lock.withLock { sleepers.removeValue(forKey: id) }?.resume()
    }
}
