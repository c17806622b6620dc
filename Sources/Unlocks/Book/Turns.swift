/// Lets one task at a time do something that suspends, in the order in which they came.
@MainActor
final class Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func run<Value, Failure: Error>(
        _ operation: @MainActor () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
        defer { if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() } }
        return try await operation()
    }
}
