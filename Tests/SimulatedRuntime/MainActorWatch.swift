import Foundation

/// Tells those who wait for something on the main actor, after each of its jobs.
///
/// What a test waits for becomes so in a job of the main actor, such as the one that calls a callback. So nobody has to look
/// again and again, and nobody waits longer than needed. A process is watched if it links the target `RuntimeStart`.
package enum MainActorWatch {
    /// After so many seconds a test hangs. None takes nearly as long, on any machine.
    package static let patience = 300.0

    /// Tells those who wait of a change that no job of the main actor makes.
    package static func changed() { DispatchQueue.main.async { MainActor.assumeIsolated { look() } } }

    /// Returns once something is so, or the test hangs.
    ///
    /// - Returns: Whether it was so.
    @MainActor
    package static func wait(until condition: () -> Bool) async -> Bool {
        guard isOn else { fatalError("Waiting needs RuntimeStart, and hooks that this Swift runtime may not have.") }
        guard !condition() else { return true }
        count += 1
        let number = count
        let alarm = Task {
            try await Task.sleep(for: .seconds(patience))
            waiters.removeValue(forKey: number)?.continuation.resume(returning: false)
        }
        defer { alarm.cancel() }
        return await withoutActuallyEscaping(condition) { condition in
            await withCheckedContinuation { waiters[number] = Waiter(isOver: condition, continuation: $0) }
        }
    }

    /// Whether no job waits but the one that runs now. All jobs are counted if RuntimeStart is compiled for it.
    package static var isIdle: Bool { executor.isIdle && (pool?.isIdle ?? true) }

    private static let executor = WatchedExecutor()
    /// Both are set before any other code runs.
    private nonisolated(unsafe) static var isOn = false
    private nonisolated(unsafe) static var pool: CountingPool?

    fileprivate static func start(countsAllJobs: Bool) {
        isOn = RuntimeHooks.areSet
        pool = isOn && countsAllJobs ? CountingPool() : nil
    }

    /// The main actor's executor; `nil` if the process isn't watched.
    static var mainExecutor: UnownedSerialExecutor? { isOn ? executor.asUnownedSerialExecutor() : nil }

    /// Takes a job that isn't the main actor's, and returns whether it does.
    static func takes(_ job: UnownedJob) -> Bool {
        pool?.run(job)
        return pool != nil
    }

    private struct Waiter {
        let isOver: () -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    @MainActor private static var waiters: [Int: Waiter] = [:]
    @MainActor private static var count = 0

    @MainActor
    fileprivate static func look() {
        for (number, waiter) in waiters where waiter.isOver() {
            waiters[number] = nil
            waiter.continuation.resume(returning: true)
        }
    }
}

/// A number that any thread changes.
private final class Count: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var value = 0

    var isZero: Bool { lock.withLock { value == 0 } }

    /// Returns whether it is zero now.
    @discardableResult
    func add(_ change: Int) -> Bool {
        lock.withLock {
            value += change
            return value == 0
        }
    }
}

/// The main actor's executor: the main queue, as ever, and a look after each job.
private final class WatchedExecutor: SerialExecutor {
    private let waiting = Count()

    var isIdle: Bool { waiting.isZero }

    func enqueue(_ job: UnownedJob) {
        waiting.add(1)
        DispatchQueue.main.async {
            self.waiting.add(-1)
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            MainActor.assumeIsolated { MainActorWatch.look() }
        }
    }

    // The default needs macOS 14.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }
}

/// Runs the jobs that belong to no actor, on as many threads as there are cores, as Swift's own pool does.
private final class CountingPool: Sendable {
    private let underway = Count()
    private let queue = OperationQueue()
    /// How Swift's runtime writes that a job has no executor of its own.
    private static let noExecutor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

    init() { queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount }

    var isIdle: Bool { underway.isZero }

    func run(_ job: UnownedJob) {
        underway.add(1)
        queue.addOperation { [underway] in
            job.runSynchronously(on: Self.noExecutor)
            if underway.add(-1) { MainActorWatch.changed() }
        }
    }
}

/// Called at the start of the process, by RuntimeStart.
@_cdecl("watch_main_actor")
func watchMainActor(_ countsAllJobs: Int32) { MainActorWatch.start(countsAllJobs: countsAllJobs != 0) }
