import ReferralBridge
import SimulatedRuntime

/// The time in a town, and what happens when. A town is on one thread.
final class TownClock: @unchecked Sendable {
    /// Seconds since the beginning.
    private(set) var now = 0.0
    /// What happens later: the next event is the last one.
    private var events: [Event] = []

    private struct Event {
        let time: Double
        let body: @MainActor () -> Void
    }

    /// Events of the same moment happen in the order in which they came.
    func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
        let event = Event(time: now + seconds, body: body)
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > event.time { low = middle + 1 } else { high = middle }
        }
        events.insert(event, at: low)
    }

    /// Lets happen what happens up to a moment.
    @MainActor
    func run(until end: Double) {
        JobQueue.drain()
        while let event = events.last, event.time <= end {
            events.removeLast()
            now = max(now, event.time)
            event.body()
            JobQueue.drain()
        }
        now = end
    }
}

/// The app, from a launch to its end. Nothing happens in it after that.
final class AppProcess: @unchecked Sendable {
    private(set) var isAlive = true
    private let clock: TownClock
    /// Called once the process was ended in the middle of something.
    private let onEnd: @MainActor () -> Void
    private var waits: [Int: CheckedContinuation<Void, Never>] = [:]
    private var count = 0

    init(_ clock: TownClock, onEnd: @escaping @MainActor () -> Void) {
        self.clock = clock
        self.onEnd = onEnd
    }

    func wait(_ seconds: Double) async {
        count += 1
        let number = count
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                waits[number] = continuation
                clock.after(seconds) { self.wake(number) }
            }
        } onCancel: {
            wake(number)
        }
    }

    private func wake(_ number: Int) { waits.removeValue(forKey: number)?.resume() }

    /// Does something once everything has run that can, unless the process has ended.
    func afterwards(_ body: @escaping @MainActor () -> Void) { clock.after(0) { if self.isAlive { body() } } }

    /// Ends the process in the middle of something.
    func end() {
        guard isAlive else { return }
        isAlive = false
        clock.after(0, onEnd)
    }

    /// Lets those go on who wait in a process that has ended. They find that nothing works any more.
    @MainActor
    func releaseWaits() {
        isAlive = false
        for _ in 0..<100 where !waits.isEmpty {
            for number in waits.keys.sorted() { wake(number) }
            JobQueue.drain()
        }
    }
}
