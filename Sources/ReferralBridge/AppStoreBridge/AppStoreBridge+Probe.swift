#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The silent look for a link. Its time limit is its own, so that a probe that never answers doesn't stop later checks.
extension AppStoreBridge {
    /// How long a check waits for the silent probe, in seconds.
    ///
    /// A probe asks nobody, so a slow answer means that the system is busy or has lost the question. Two seconds are less than
    /// the default ``timeLimit``, so a caller who waits hears how the check ended. Another device's clipboard can take longer
    /// (https://github.com/flutter/flutter/issues/180865); a late answer counts.
    static let probeTimeLimit: TimeInterval = 2

    /// The answer of a probe that took longer than the time limit, for the next check.
    struct LateAnswer {
        let mayHoldLink: Bool
        let changeCount: Int?
        let departures: Int
    }

    /// Asks whether the pasteboard may hold a link.
    ///
    /// - Parameters:
    ///   - changeCount: The change count of the content that the answer is about.
    ///   - moment: When the check began. The taps are judged by it, however late the answer comes.
    /// - Returns: The answer, or `nil` if there is none in time. Then the answer starts another check.
    func probe(_ changeCount: Int?, at moment: Timestamp) async -> Result<Bool, Failure>? {
        // To an app in the background a pasteboard looks empty, so an answer counts while the app stays in front.
        let departures = foreground.departures
        if let late = lateAnswer {
            lateAnswer = nil
            if late.changeCount == changeCount, late.departures == departures { return .success(late.mayHoldLink) }
        }
        probes.asked += 1
        let number = probes.asked
        let answer = Pending<Result<Bool, Failure>>(clock)
        let question = Task { [pasteboard] in
            let result: Result<Bool, Failure>
            do { result = .success(try await pasteboard.mayHoldLink()) } catch { result = .failure(Failure(error)) }
            answer.resolve(result)
            return result
        }
        if let result = await answer.value(within: Self.probeTimeLimit) {
            probes.answered = number
            return result
        }
        Task { [weak self] in
            let result = await question.value
            self?.receive(result, ofProbe: number, changeCount, departures, at: moment)
        }
        return nil
    }

    /// Starts a check with a late answer, unless a later probe has answered.
    private func receive(
        _ answer: Result<Bool, Failure>,
        ofProbe number: Int,
        _ changeCount: Int?,
        _ departures: Int,
        at moment: Timestamp
    ) {
        // Once the app has come back and asked again, the answer to that counts.
        guard number > probes.answered, departures == foreground.departures || number == probes.asked else { return }
        probes.answered = number
        switch answer {
        case .success(let mayHoldLink):
            lateAnswer = LateAnswer(mayHoldLink: mayHoldLink, changeCount: changeCount, departures: departures)
            due = due ?? (moment, isQuiet: true)
            startCheckIfDue()
        case .failure(let failure):
            // The next activation tries again.
            if check == nil { tell(.failed(failure)) }
        }
    }
}
