import ReferralFoundation

/// The moment when the person first got the app, which a store is asked for.
@MainActor
final class FirstDownload {
    private typealias Answer = Result<Timestamp, AppStoreBridge.Failure>

    /// How long the bridge waits, in seconds, before it asks a store again that gave no answer.
    static let retryDelays: [Double] = [2, 10, 60]

    /// The answer, once there is one.
    private(set) var moment: Timestamp?

    private let ask: @MainActor @Sendable () async throws -> Date
    private let clock: DeviceClock
    private var question: Pending<Answer>?

    /// Returns `nil` for a policy that doesn't need the moment.
    init?(_ policy: AttributionPolicy, _ clock: DeviceClock) {
        guard case .firstDownload(let ask) = policy else { return nil }
        self.ask = ask
        self.clock = clock
    }

    /// Asks the store. While a question is open, everybody waits for its answer, but not longer than the time limit: after
    /// that a late answer still counts, and the next call asks again.
    func value(within timeLimit: TimeInterval) async -> Result<Timestamp, AppStoreBridge.Failure> {
        let open = question ?? Pending(clock)
        if question == nil {
            question = open
            Task {
                let answer: Answer
                do { answer = .success(Timestamp(try await ask())) } catch { answer = .failure(.init(error)) }
                if question === open { question = nil }
                if case .success(let moment) = answer { self.moment = moment }
                open.resolve(answer)
            }
        }
        if let answer = await open.value(within: timeLimit) { return answer }
        if question === open { question = nil }
        return .failure(.init(TimeLimitExceeded()))
    }
}
