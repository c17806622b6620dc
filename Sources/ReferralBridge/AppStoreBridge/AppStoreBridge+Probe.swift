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

    /// One silent look. Its answer counts for the content with its change count, and while the app stays in front: to an app
    /// in the background, a pasteboard looks empty.
    @MainActor
    final class Probe {
        let number: Int
        let changeCount: Int?
        let departures: Int
        /// When the check began. The taps are judged by it, however late the answer comes.
        let moment: Timestamp
        var answer: Result<Bool, Failure>?
        var isLate = false

        init(_ number: Int, _ changeCount: Int?, departures: Int, _ moment: Timestamp) {
            (self.number, self.changeCount, self.departures, self.moment) = (number, changeCount, departures, moment)
        }
    }

    /// Asks whether the pasteboard may hold a link.
    ///
    /// - Parameters:
    ///   - changeCount: The change count of the content that the answer is about.
    ///   - moment: When the check began.
    /// - Returns: The answer, or `nil` if there is none in time. Then the answer starts another check.
    func mayHoldLink(_ changeCount: Int?, at moment: Timestamp) async -> Result<Bool, Failure>? {
        if let late = lateProbe {
            lateProbe = nil
            if late.changeCount == changeCount, late.departures == foreground.departures { return late.answer }
        }
        probes.asked += 1
        let probe = Probe(probes.asked, changeCount, departures: foreground.departures, moment)
        let timer = Task { [clock] in await clock.sleep(Self.probeTimeLimit) }
        Task { [weak self, pasteboard] in
            do { probe.answer = .success(try await pasteboard.mayHoldLink()) } catch {
                probe.answer = .failure(Failure(error))
            }
            timer.cancel()
            if probe.isLate { self?.receive(probe) }
        }
        await timer.value
        if probe.answer == nil { probe.isLate = true } else { probes.answered = probe.number }
        return probe.answer
    }

    /// Starts a check with a late answer, unless a later probe has answered.
    private func receive(_ probe: Probe) {
        // Once the app has come back and asked again, the answer to that counts.
        guard probe.number > probes.answered,
            probe.departures == foreground.departures || probe.number == probes.asked
        else { return }
        probes.answered = probe.number
        if case .failure(let failure) = probe.answer {
            // The next activation tries again.
            if check == nil { tell(.failed(failure)) }
            return
        }
        lateProbe = probe
        due = due ?? (probe.moment, isQuiet: true)
        startCheckIfDue()
    }
}
