internal import Dispatch
internal import Foundation
internal import SimulatedRuntime

/// Records what a stand-in is asked for, from which thread, and how much of it at the same time.
package final class AccessLog: @unchecked Sendable {
    package struct Access: Sendable, Hashable {
        package let name: String

        /// Whether the main thread would have waited for it.
        package let isOnMainThread: Bool

        /// Whether one of the threads that Swift runs tasks on would have waited for it.
        package let isInTask: Bool
    }

    private let lock = NSLock()
    private var noted: [Access] = []
    private var hooks: [String: @Sendable () -> Void] = [:]
    private var underWay = 0
    private var most = 0

    package init() {}

    /// Notes an access, and runs what a test wants to happen during it.
    package func note<Value>(_ name: String, _ value: () throws -> Value) rethrows -> Value {
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        let access = Access(name: name, isOnMainThread: MainQueue.isCurrent, isInTask: isInTask)
        let hook = lock.withLock {
            noted.append(access)
            underWay += 1
            most = max(most, underWay)
            return hooks[name]
        }
        MainActorWatch.changed()
        defer {
            lock.withLock { underWay -= 1 }
            MainActorWatch.changed()
        }
        hook?()
        return try value()
    }

    /// Runs a closure within each access of this name, on its thread: it may block.
    package func during(_ name: String, _ hook: (@Sendable () -> Void)?) {
        lock.withLock { hooks[name] = hook }
    }

    /// The accesses since the last call.
    @discardableResult
    package func take() -> [Access] {
        lock.withLock {
            defer { noted = [] }
            return noted
        }
    }

    /// The same, left as they are.
    package var accesses: [Access] { lock.withLock { noted } }

    /// How often something was asked for since then.
    package func count(_ name: String) -> Int { accesses.count { $0.name == name } }

    /// Whether an access has begun and not ended.
    package var isUnderWay: Bool { lock.withLock { underWay > 0 } }

    /// The highest number of accesses at the same time, each of which blocks a thread.
    package var mostAtOnce: Int { lock.withLock { most } }

    /// Forgets everything.
    package func reset() {
        lock.withLock { (noted, hooks, most) = ([], [:], underWay) }
    }
}

#if os(Linux)
/// Linux has another thread run the main queue, so that `Thread.isMainThread` doesn't tell.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
#endif
