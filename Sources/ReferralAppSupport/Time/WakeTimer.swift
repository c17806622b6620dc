/// The timer of an object that waits for ``Deadlines``.
package struct WakeTimer: Sendable {
    private var moment: Timestamp?
    private var task: Task<Void, Never>?

    package init() {}

    /// Waits for another moment, unless it is the one that is waited for already.
    ///
    /// - Parameters:
    ///   - moment: A moment of ``DeviceClock/steady``; `nil` to wait no more.
    ///   - clock: The clock.
    ///   - wake: Called with the moment. It calls ``end(_:)`` first.
    package mutating func wait(
        until moment: Timestamp?,
        _ clock: DeviceClock,
        _ wake: @escaping @Sendable (Timestamp) async -> Void
    ) {
        guard moment != self.moment else { return }
        task?.cancel()
        self.moment = moment
        task = moment.map { moment in
            // An app's own clock may expect no negative number.
            let wait = max(0, (moment.milliseconds - clock.steady.milliseconds) / 1_000)
            return Task {
                await clock.sleep(wait)
                if !Task.isCancelled { await wake(moment) }
            }
        }
    }

    /// Notes that a moment has come.
    ///
    /// - Returns: Whether it is waited for. A task that is canceled once its moment has come may still call.
    package mutating func end(_ moment: Timestamp) -> Bool {
        guard moment == self.moment else { return false }
        (self.moment, task) = (nil, nil)
        return true
    }

    /// Waits no more.
    package func cancel() { task?.cancel() }
}
