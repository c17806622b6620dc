#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the bridge does with the strings that it read.
extension AppStoreBridge {
    /// Judges everything that was read and isn't finished, and reports, remembers or keeps it.
    ///
    /// - Parameters:
    ///   - moment: When this check began. A tap that was too far ahead before is judged by it.
    ///   - isRetry: Whether this is only another try to ask the store.
    /// - Returns: The outcome of each reading.
    @discardableResult
    func finishReadings(at moment: Timestamp, isRetry: Bool = false) async -> [Outcome] {
        if let finishing { return await finishing.value }
        guard case .firstDownload(let date) = attributionPolicy, firstDownload == nil,
            unfinished.contains(where: { scan($0, ledger.record()).referral != nil })
        else { return finishReadings(at: moment, firstDownload: firstDownload.map { .success($0) }, isRetry) }

        let task = Task {
            let answer = await askForFirstDownload(date)
            finishing = nil
            return finishReadings(at: moment, firstDownload: answer, isRetry)
        }
        finishing = task
        return await task.value
    }

    private func finishReadings(
        at moment: Timestamp,
        firstDownload: Result<Date, Failure>?,
        _ isRetry: Bool
    ) -> [Outcome] {
        let readings = unfinished
        unfinished = []
        let outcomes = readings.map { reading in
            var reading = reading
            if reading.awaitsTap { reading.moment = moment }
            (reading.awaitsTap, reading.awaitsStore) = (false, false)
            return finish(reading, firstDownload: firstDownload)
        }
        outcomes.forEach(tell)
        updateRetries(isRetry)
        return outcomes
    }

    private func finish(_ reading: PasteboardReading, firstDownload: Result<Date, Failure>?) -> Outcome {
        var reading = reading
        guard let record = ledger.recordIfUnlocked() else {
            unfinished.append(reading)
            return .waitingForUnlock
        }

        var result = scan(reading, record)
        if result.referral == nil, result.verdicts.contains(where: { [.fromTheFuture, .expired].contains($0) }) {
            // The tap may have come after the check began: while something else was read, or before the clock was set.
            reading.moment = clock.now()
            result = scan(reading, record)
        }
        if let referral = result.referral, case .firstDownload = attributionPolicy {
            switch firstDownload ?? .failure(Failure(TimeLimitExceeded())) {
            case .failure(let failure):
                reading.awaitsStore = true
                unfinished.append(reading)
                return .storeUnavailable(failure)
            case .success(let date):
                // The store's clock and the device's may differ.
                let tolerance = scanner.window.clockTolerance
                guard Timestamp(date).advanced(by: tolerance) >= referral.timestamp else {
                    ledger.markRead(reading.contents.changeCount)
                    ledger.save()
                    return .installedBeforeTap
                }
            }
        }

        let isDone = !result.judgments.contains { $0.isImminent(at: reading.moment, within: scanner.window) }
        let outcome = report(result, at: reading.moment) {
            if isDone { ledger.markRead(reading.contents.changeCount) }
        }
        switch outcome {
        case .unreported:
            unfinished.append(reading)
        case _ where !isDone:
            reading.awaitsTap = true
            unfinished.append(reading)
        case .found where clearsPasteboard:
            clear(reading, result)
        case .noReferral:
            ledger.markRead(reading.contents.changeCount)
            ledger.save()
        default:
            break
        }
        return outcome
    }

    private func scan(_ reading: PasteboardReading, _ record: LedgerRecord) -> ScanResult {
        scanner.scan(reading.contents.strings, now: reading.moment, reported: record.reported)
    }

    /// Clears the pasteboard. Nobody waits for it: the referral is reported and remembered already.
    private func clear(_ reading: PasteboardReading, _ result: ScanResult) {
        guard let changeCount = reading.contents.changeCount, result.judgments.allSatisfy(\.isForThisApp) else {
            return
        }
        Task { [pasteboard] in await pasteboard.clear(ifChangeCountIs: changeCount) }
    }
}

// MARK: - The store

private extension AppStoreBridge {
    typealias FirstDownload = @MainActor @Sendable () async throws -> Date

    /// How long the bridge waits, in seconds, before it asks a store again that gave no answer.
    static let retryDelays: [TimeInterval] = [2, 10, 60]

    /// Asks when the person first got the app. While a question is open, everybody waits for its answer, but not longer than
    /// the time limit: after that a late answer still counts, and the next check asks anew.
    func askForFirstDownload(_ date: @escaping FirstDownload) async -> Result<Date, Failure> {
        let answer = firstDownloadAnswer ?? Pending(clock)
        if firstDownloadAnswer == nil {
            firstDownloadAnswer = answer
            let policy = policyNumber
            Task {
                let result: Result<Date, Failure>
                do { result = .success(try await date()) } catch { result = .failure(Failure(error)) }
                if firstDownloadAnswer === answer { firstDownloadAnswer = nil }
                if case .success(let date) = result, policy == policyNumber { firstDownload = date }
                answer.resolve(result)
            }
        }
        if let result = await answer.value(within: timeLimit) { return result }
        if firstDownloadAnswer === answer { firstDownloadAnswer = nil }
        return .failure(Failure(TimeLimitExceeded()))
    }

    /// Asks the store again later, as long as a reading waits for it. Each check begins the delays anew.
    func updateRetries(_ isRetry: Bool) {
        guard unfinished.contains(where: \.awaitsStore) else {
            retries?.cancel()
            retries = nil
            return
        }
        if isRetry { return }
        retries?.cancel()
        retries = Task { [weak self, clock] in
            for delay in Self.retryDelays {
                await clock.sleep(delay)
                guard !Task.isCancelled, let self else { return }
                await finishReadings(at: clock.now(), isRetry: true)
            }
            if !Task.isCancelled { self?.retries = nil }
        }
    }
}

private extension Judgment {
    /// Whether the string is a link to this app, whatever it carries.
    var isForThisApp: Bool { verdict != .notALink && verdict != .wrongApp }

    func isImminent(at moment: Timestamp, within window: AttributionWindow) -> Bool {
        guard verdict == .fromTheFuture, let link else { return false }
        return window.isImminent(link.referral.timestamp, at: moment)
    }
}
