/// Requests to a guestbook that are under way. One that is never answered doesn't hold up others for longer than 15 minutes.
struct Attempt<Answer: Sendable>: Sendable {
    private static var patience: Double { 900 }

    /// An attempt that took too long may end while a later one is under way.
    let number: Int
    let task: Task<Answer, Never>
    private let pause: Pause

    init(number: Int, at now: Timestamp, _ task: Task<Answer, Never>) {
        self.number = number
        self.task = task
        pause = Pause(seconds: Self.patience, at: now)
    }

    /// Whether others wait for it.
    func isAwaited(at now: Timestamp) -> Bool { pause.rest(at: now) > 0 }
}
