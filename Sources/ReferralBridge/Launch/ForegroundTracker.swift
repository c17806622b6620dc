/// Tracks whether an app is in the foreground, for checks for referrals.
struct ForegroundTracker: Sendable, Equatable {
    /// The app's state.
    private(set) var state: AppActivityState

    /// The number of times that the app became active. The return from the system's question about the app's own read
    /// doesn't count, since it must not cause another question.
    private(set) var activations = 0

    /// The number of times that the app went to the background.
    private(set) var departures = 0

    /// Whether a read is in progress, during which the system may ask the user.
    var isReading = false

    private var isAsking = false

    init(_ state: AppActivityState) { self.state = state }

    /// Records a new state.
    mutating func change(to newState: AppActivityState) {
        guard newState != state else { return }
        switch newState {
        case .active:
            activations += isAsking ? 0 : 1
            isAsking = false
        case .inactive:
            isAsking = state == .active && isReading
        case .background:
            departures += 1
        }
        state = newState
    }

    /// Counts an activation of an app that is always active.
    mutating func countActivation() { activations += 1 }
}
