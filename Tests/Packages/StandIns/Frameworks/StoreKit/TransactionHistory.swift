/// What the store knows of a person's transactions.
package final class TransactionHistory: @unchecked Sendable {
    package struct State: Sendable {
        package var unfinished: [VerificationResult<Transaction>] = []
        package var entitlements: [VerificationResult<Transaction>] = []
        package var all: [VerificationResult<Transaction>] = []
        /// Whether the device is offline, so that the list of entitlements is empty.
        package var isOffline = false
        /// The transactions that were finished, in order.
        package var finished: [UInt64] = []
    }

    let feed = Feed<VerificationResult<Transaction>>()
    private let lock = NSLock()
    private var current = State()

    package var state: State { lock.withLock { current } }

    /// How many listen now.
    package var numberOfListeners: Int { feed.numberOfListeners }

    package func change(_ body: (inout State) -> Void) { lock.withLock { body(&current) } }

    /// Tells all who listen.
    package func send(_ update: VerificationResult<Transaction>) { feed.send(update) }

    /// Forgets everything.
    package func clear() { change { $0 = State() } }

    func sequence(_ list: (State) -> [VerificationResult<Transaction>]) -> Transaction.Transactions {
        let (stream, continuation) = AsyncStream.makeStream(of: VerificationResult<Transaction>.self)
        for element in list(state) { continuation.yield(element) }
        continuation.finish()
        return stream
    }
}
