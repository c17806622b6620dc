import ReferralFoundation

/// The observers of changes, and the states that were published to them.
@MainActor
final class Observers {
    /// Notifies the views.
    let signal = ChangeSignal()

    private var continuations: [Int: AsyncStream<UnlockChange>.Continuation] = [:]
    private var count = 0
    private(set) var published: [UnlockID: UnlockChange] = [:]

    deinit { for continuation in continuations.values { continuation.finish() } }

    /// Adds an observer.
    ///
    /// - Returns: The current states, followed by one value per change.
    func changes(_ states: () -> [UnlockChange]) -> AsyncStream<UnlockChange> {
        if continuations.isEmpty { for change in states() { published[change.unlock] = change } }
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

    /// Notifies the views, and publishes the states that are new. Without an observer, the closure isn't called.
    func publish(_ states: () -> [UnlockChange]) {
        signal.send()
        guard !continuations.isEmpty else { return }
        for change in states().sorted(by: { $0.unlock < $1.unlock }) where published[change.unlock] != change {
            published[change.unlock] = change
            for continuation in continuations.values { continuation.yield(change) }
        }
    }
}
