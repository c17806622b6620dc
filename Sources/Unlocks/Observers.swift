import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Those who are told of changes, and the states that they were told. A state is worked out once, until something changes it.
@MainActor
final class Observers {
    /// Tells the views.
    let signal = ChangeSignal()

    private var continuations: [Int: AsyncStream<UnlockChange>.Continuation] = [:]
    private var count = 0
    private var published: [Name: UnlockState] = [:]
    /// The states that were asked for since something changed, and the moments between which they hold.
    private var known: [Name: (state: UnlockState, start: Date, end: Date?)] = [:]

    deinit { for continuation in continuations.values { continuation.finish() } }

    /// Tells the views that something is about to change.
    func willChange() { signal.send() }

    /// A state, as it is known or as it is worked out now.
    func state(
        of unlock: Name,
        at now: Date,
        _ workOut: () -> (state: UnlockState, end: Date?)
    ) -> UnlockState {
        if let (state, start, end) = known[unlock], start <= now, end.map({ now < $0 }) ?? true { return state }
        let (state, end) = workOut()
        known[unlock] = (state, now, end)
        return state
    }

    /// Forgets the states that were worked out, of some unlocks or of all.
    func forget(_ unlocks: Set<Name>? = nil) {
        guard let unlocks else { return known.removeAll() }
        for unlock in unlocks { known[unlock] = nil }
    }

    /// Adds an observer.
    ///
    /// - Parameter states: All states, for the first observer. Others see those that were published last.
    /// - Returns: The current states, followed by one value per change.
    func changes(_ states: () -> [Name: UnlockState]) -> AsyncStream<UnlockChange> {
        if continuations.isEmpty { published = states() }
        let (stream, continuation) = AsyncStream.makeStream(of: UnlockChange.self)
        for (unlock, state) in published.sorted(by: { $0.key < $1.key }) {
            continuation.yield(UnlockChange(unlock: unlock.text, state: state))
        }
        count += 1
        let number = count
        continuations[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.continuations[number] = nil }
        }
        return stream
    }

    /// Tells the observers which of some states are new. Without an observer no state is worked out.
    func publish(_ states: () -> [Name: UnlockState]) {
        willChange()
        guard !continuations.isEmpty else { return }
        for (unlock, state) in states().sorted(by: { $0.key < $1.key }) where published[unlock] != state {
            published[unlock] = state
            for continuation in continuations.values {
                continuation.yield(UnlockChange(unlock: unlock.text, state: state))
            }
        }
    }
}
