/// The bridge's handling of the strings that it read.
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
        guard let firstDownload, firstDownload.moment == nil,
            unfinished.indices.contains(where: { judge(&unfinished[$0], at: moment, ledger.record).referral != nil })
        else { return finishReadings(at: moment, firstDownload: firstDownload?.moment.map { .success($0) }, isRetry) }
        let task = Task {
            let answer = await firstDownload.value(within: timeLimit)
            finishing = nil
            return finishReadings(at: moment, firstDownload: answer, isRetry)
        }
        finishing = task
        return await task.value
    }

    private func finishReadings(
        at moment: Timestamp,
        firstDownload: Result<Timestamp, Failure>?,
        _ isRetry: Bool
    ) -> [Outcome] {
        let readings = unfinished
        unfinished = []
        let outcomes = readings.map { finish($0, at: moment, firstDownload: firstDownload) }
        outcomes.forEach { tell($0) }
        updateRetries(isRetry)
        return outcomes
    }

    private func finish(
        _ reading: PasteboardReading,
        at moment: Timestamp,
        firstDownload: Result<Timestamp, Failure>?
    ) -> Outcome {
        var reading = reading
        reading.awaitsStore = false
        guard let record = ledger.loadIfUnlocked() else {
            unfinished.append(reading)
            return .waitingForUnlock
        }

        let result = judge(&reading, at: moment, record)
        if let referral = result.referral, self.firstDownload != nil {
            switch firstDownload ?? .failure(Failure(TimeLimitExceeded())) {
            case .failure(let failure):
                reading.awaitsStore = true
                unfinished.append(reading)
                return .storeUnavailable(failure)
            case .success(let download):
                // The store's clock and the device's may differ.
                let tolerance = scanner.window.clockTolerance
                guard download.advanced(by: tolerance) >= referral.timestamp else {
                    ledger.markRead(reading.contents.changeCount)
                    ledger.save()
                    return .installedBeforeTap
                }
            }
        }

        let isDone = !result.judgments.contains(where: \.isImminent)
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

    /// Judges a reading, and keeps the moment by which it is judged.
    private func judge(
        _ reading: inout PasteboardReading,
        at moment: Timestamp,
        _ record: LedgerRecord
    ) -> ScanResult {
        if reading.awaitsTap { (reading.moment, reading.awaitsTap) = (moment, false) }
        var result = scan(reading, record)
        // The tap may have come after the check began: while something else was read, or before the clock was set. So the moment
        // of an activation since then counts, and the present one.
        for moment in [due?.moment, clock.now()].compactMap(\.self) where result.mayBeOutOfTime {
            reading.moment = moment
            result = scan(reading, record)
        }
        return result
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

private extension ScanResult {
    /// Whether another moment may find a referral.
    var mayBeOutOfTime: Bool {
        referral == nil && verdicts.contains { [.fromTheFuture, .expired].contains($0) }
    }
}

// MARK: - The store

private extension AppStoreBridge {
    /// Asks the store again later, as long as a reading waits for it. Each check restarts the delays.
    func updateRetries(_ isRetry: Bool) {
        let isWaiting = unfinished.contains(where: \.awaitsStore)
        if isWaiting && isRetry { return }
        retries?.cancel()
        retries = nil
        guard isWaiting else { return }
        retries = Task { [weak self, clock] in
            for delay in FirstDownload.retryDelays {
                await clock.sleep(delay)
                guard !Task.isCancelled, let self else { return }
                await finishReadings(at: clock.now(), isRetry: true)
            }
            if !Task.isCancelled { self?.retries = nil }
        }
    }
}
