import ReferralFoundation

/// Runs system threads. Foundation's `Thread` would make the static command three times as large.
enum Workers {
    /// The number of cores.
    static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Runs the body on a number of threads, including this one, and waits for all of them.
    static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let others = (1..<count).compactMap { _ in start(body) }
        body()
        for thread in others { pthread_join(thread, nil) }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread; `nil` if the system can't start any more. The other threads then do the work.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        // The argument is optional on Linux, and isn't on Apple's platforms, although their header says so.
        let result = pthread_create(&thread, nil, { ($0 as UnsafeMutableRawPointer?).flatMap(Workers.enter) }, argument)
        guard result == 0 else {
            Unmanaged<Body>.fromOpaque(argument).release()
            return nil
        }
        return thread
    }

    private static func enter(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}

/// A lock, and a condition to wait for.
final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Unlocks, waits for ``wakeAll()``, and locks again.
    func wait() { pthread_cond_wait(condition, mutex) }

    func wakeAll() { pthread_cond_broadcast(condition) }
}
