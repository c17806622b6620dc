import Foundation

/// The main actor of a simulation: its jobs, run one after the other on the test's own thread.
///
/// With the system's main actor a continuation passes through Swift's thread pool on its way back, where two of them race,
/// and nobody can tell whether everything has run that can. The runtime has hooks for where a job goes. While a simulation
/// runs, those of its thread come here; those of other threads go where they always go.
@MainActor
package enum JobQueue {
    /// Runs a simulation, and every job that it begins.
    package static func run(_ simulation: @escaping @MainActor () -> Void) {
        // Without the hooks, the jobs of a simulation would never run, and its test would fail for no visible reason.
        guard RuntimeHooks.areSet else { fatalError("Simulations need hooks that this Swift runtime doesn't have.") }
        thread = pthread_self()
        defer { thread = nil }
        Task { simulation() }
        drain()
    }

    /// Runs a simulation that waits for what it begins: see ``settle()``.
    ///
    /// - Throws: What the simulation throws, and ``Stuck`` if it waits for something that never comes.
    package static func runToEnd(_ simulation: @escaping @MainActor () async throws -> Void) throws {
        var result: Result<Void, any Error>?
        run {
            Task {
                do { result = .success(try await simulation()) } catch { result = .failure(error) }
            }
            drain()
            while let last = settling.popLast() {
                last.resume()
                drain()
            }
        }
        guard let result else { throw Stuck() }
        try result.get()
    }

    package struct Stuck: Error {}

    /// Returns once everything has run that can, in ``runToEnd(_:)``. Of several calls, the last one returns first.
    package static func settle() async { await withCheckedContinuation { settling.append($0) } }

    private static var settling: [CheckedContinuation<Void, Never>] = []

    /// Runs jobs until there are none.
    package static func drain() {
        while !queue.jobs.isEmpty {
            var batch: [UnownedJob] = []
            swap(&batch, &queue.jobs)
            for job in batch { job.runSynchronously(on: queue.asUnownedSerialExecutor()) }
        }
    }

    /// Takes a job if it comes from the simulation's thread, and returns whether it does.
    nonisolated static func takes(_ job: UnownedJob) -> Bool {
        guard thread == pthread_self() else { return false }
        queue.jobs.append(job)
        return true
    }

    /// The main actor's executor on the simulation's thread; `nil` on others.
    nonisolated static var mainExecutor: UnownedSerialExecutor? {
        thread == pthread_self() ? queue.asUnownedSerialExecutor() : nil
    }
}

private final class Queue: SerialExecutor, @unchecked Sendable {
    /// Used by the simulation's thread alone.
    var jobs: [UnownedJob] = []

    func enqueue(_ job: UnownedJob) {
        precondition(thread == pthread_self(), "A simulation waits for something outside of it, such as a real clock.")
        jobs.append(job)
    }

    // The default needs macOS 14.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

private let queue = Queue()
/// Set by the simulation's thread alone; others only see that it isn't theirs.
private nonisolated(unsafe) var thread: pthread_t?
