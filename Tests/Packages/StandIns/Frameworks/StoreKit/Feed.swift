internal import SimulatedRuntime

/// What a store tells all who listen.
package final class Feed<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    private var listenerCount = 0

    /// How many listen now.
    package var numberOfListeners: Int { lock.withLock { listeners.count } }

    /// Tells all who listen.
    package func send(_ element: Element) {
        for listener in lock.withLock({ listeners.values }) { listener.yield(element) }
    }

    func listen() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let number = lock.withLock {
            listenerCount += 1
            listeners[listenerCount] = continuation
            return listenerCount
        }
        MainActorWatch.changed()
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            lock.withLock { listeners[number] = nil }
            MainActorWatch.changed()
        }
        return stream
    }
}
