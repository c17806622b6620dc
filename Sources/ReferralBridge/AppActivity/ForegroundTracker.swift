/// Follows an app to the foreground and back, as far as a check for referrals is concerned.
struct ForegroundTracker {
    /// Where the app is.
    private(set) var state: AppState

    /// How often the app became active. The return from a question that the app's own read caused doesn't count: it must not
    /// cause another one.
    private(set) var activations = 0

    /// How often the app went to the background.
    private(set) var departures = 0

    /// Whether a read is in progress, so that the system may be asking the person.
    var isReading = false

    private var isAsking = false

    init(_ state: AppState) {
        self.state = state
    }

    /// Follows the app.
    mutating func change(to newState: AppState) {
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
