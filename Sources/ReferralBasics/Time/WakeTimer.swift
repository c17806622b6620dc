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
    ///   - wake: Called with the moment. It calls ``end()`` first.
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

    /// Notes that the moment has come.
    package mutating func end() { (moment, task) = (nil, nil) }

    /// Waits no more.
    package func cancel() { task?.cancel() }
}
