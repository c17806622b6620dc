import Foundation

/// The places where Swift's runtime asks where a job goes.
///
/// The jobs of a simulation's thread go to its queue. Other jobs of the main actor go to a watched executor, if the process has
/// one, and all others where they always go.
enum RuntimeHooks {
    /// Whether they are set, which they are once this was asked.
    static let areSet: Bool = {
        guard let global = hook("swift_task_enqueueGlobal_hook"), let main = hook("swift_task_getMainExecutor_hook")
        else { return false }
        global.assumingMemoryBound(to: EnqueueHook?.self).pointee = { job, original in
            if !JobQueue.takes(job), !MainActorWatch.takes(job) { original(job) }
        }
        main.assumingMemoryBound(to: MainExecutorHook?.self).pointee = { original in
            JobQueue.mainExecutor ?? MainActorWatch.mainExecutor ?? original()
        }
        return true
    }()

    private static func hook(_ name: String) -> UnsafeMutableRawPointer? { dlsym(dlopen(nil, RTLD_LAZY), name) }
}

private typealias EnqueueHook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void
private typealias MainExecutorHook =
    @convention(thin) (@convention(thin) () -> UnownedSerialExecutor) -> UnownedSerialExecutor
