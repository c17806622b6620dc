import ReferralBridge
import SimulatedRuntime

/// The time in a town, and what happens when. A town is on one thread.
final class TownClock: @unchecked Sendable {
    /// Seconds since the beginning.
    private(set) var now = 0.0
    /// What happens later: a heap, whose first event is the next one.
    private var events: [Event] = []
    private var count = 0

    private struct Event {
        let time: Double
        let number: Int
        let body: @MainActor () -> Void

        /// Events of the same moment happen in the order in which they came.
        func isBefore(_ other: Event) -> Bool { (time, number) < (other.time, other.number) }
    }

    func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
        count += 1
        events.append(Event(time: now + seconds, number: count, body: body))
        var index = events.count - 1
        while index > 0, events[index].isBefore(events[(index - 1) / 2]) {
            events.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func next() -> Event {
        events.swapAt(0, events.count - 1)
        let event = events.removeLast()
        var index = 0
        while true {
            let children = (2 * index + 1...2 * index + 2).filter { $0 < events.count }
            guard let least = children.min(by: { events[$0].isBefore(events[$1]) }),
                events[least].isBefore(events[index])
            else { return event }
            events.swapAt(least, index)
            index = least
        }
    }

    /// Lets happen what happens up to a moment.
    @MainActor
    func run(until end: Double) {
        JobQueue.drain()
        while let first = events.first, first.time <= end {
            let event = next()
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
