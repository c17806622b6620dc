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
        _ = areHooksInstalled
        thread = pthread_self()
        defer { thread = nil }
        Task { simulation() }
        drain()
    }

    /// Runs jobs until there are none.
    package static func drain() {
        while !queue.jobs.isEmpty {
            var batch: [UnownedJob] = []
            swap(&batch, &queue.jobs)
            for job in batch { job.runSynchronously(on: queue.asUnownedSerialExecutor()) }
        }
    }

    private static let areHooksInstalled: Void = {
        hook("swift_task_enqueueGlobal_hook").assumingMemoryBound(to: EnqueueHook?.self).pointee = { job, original in
            if thread == pthread_self() { queue.jobs.append(job) } else { original(job) }
        }
        hook("swift_task_getMainExecutor_hook").assumingMemoryBound(to: MainExecutorHook?.self).pointee = { original in
            thread == pthread_self() ? queue.asUnownedSerialExecutor() : original()
        }
    }()

    /// Without the hook, the jobs of a simulation would never run, and its test would fail for no visible reason.
    private static func hook(_ name: String) -> UnsafeMutableRawPointer {
        guard let hook = dlsym(dlopen(nil, RTLD_LAZY), name) else {
            fatalError("The simulations need \(name), which this system's Swift runtime doesn't have.")
        }
        return hook
    }
}

private typealias EnqueueHook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void
private typealias MainExecutorHook =
    @convention(thin) (@convention(thin) () -> UnownedSerialExecutor) -> UnownedSerialExecutor

private final class Queue: SerialExecutor, @unchecked Sendable {
    /// Used by the simulation's thread alone.
    var jobs: [UnownedJob] = []

    func enqueue(_ job: UnownedJob) { jobs.append(job) }

    // The default needs macOS 14.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

private let queue = Queue()
/// Set by the simulation's thread alone; others only see that it isn't theirs.
private nonisolated(unsafe) var thread: pthread_t?
