import ReferralFoundation

/// The observers of changes, and the states that were published to them. A state is computed once, until a change.
@MainActor
final class Observers {
    /// Notifies the views.
    let signal = ChangeSignal()

    private var continuations: [Int: AsyncStream<UnlockChange>.Continuation] = [:]
    private var count = 0
    private(set) var published: [UnlockID: UnlockChange] = [:]
    /// The unlocks whose state may have changed since it was published; `nil` is all.
    private(set) var changed: Set<UnlockID>? = []
    /// Whether a state may have changed since it was published.
    var mayHaveChanged: Bool { changed != [] }
    /// The states that were requested since the last change, and the times between which they hold.
    private var known: [UnlockID: (state: UnlockState, start: Date, end: Date?)] = [:]

    deinit { for continuation in continuations.values { continuation.finish() } }

    /// Notifies the views that a value is about to change.
    func willChange() { signal.send() }

    /// The known state of an unlock at a moment of the device's clock, or the one that the closure computes.
    func state(
        of unlock: UnlockID,
        at clock: Date,
        _ workOut: () -> (state: UnlockState, end: Date?)
    ) -> UnlockState {
        if let (state, start, end) = known[unlock], start <= clock, end.map({ clock < $0 }) ?? true { return state }
        let (state, end) = workOut()
        known[unlock] = (state, clock, end)
        return state
    }

    /// Forgets the known states of some unlocks, or of all, since they may change.
    func forget(_ unlocks: Set<UnlockID>? = nil) {
        guard let unlocks else {
            changed = nil
            return known.removeAll()
        }
        changed?.formUnion(unlocks)
        for unlock in unlocks { known[unlock] = nil }
    }

    /// Adds an observer.
    ///
    /// - Parameter states: Returns all states, for the first observer. Other observers begin with the published ones.
    /// - Returns: The current states, followed by one value per change.
    func changes(_ states: () -> [UnlockChange]) -> AsyncStream<UnlockChange> {
        if continuations.isEmpty {
            published = Dictionary(states().map { ($0.unlock, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (stream, continuation) = AsyncStream.makeStream(of: UnlockChange.self)
        for (_, change) in published.sorted(by: { $0.key < $1.key }) { continuation.yield(change) }
        count += 1
        let number = count
        continuations[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.continuations[number] = nil }
        }
        return stream
    }

    /// Publishes the states that are new. Without an observer, the closure isn't called.
    func publish(_ states: () -> [UnlockChange]) {
        // What hears of it may cause another event.
        changed = []
        willChange()
        guard !continuations.isEmpty else { return }
        for change in states().sorted(by: { $0.unlock < $1.unlock }) where published[change.unlock] != change {
            published[change.unlock] = change
            for continuation in continuations.values { continuation.yield(change) }
        }
    }
}
