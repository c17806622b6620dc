/// What the bridge does with the strings that it read.
extension Launch {
    /// The judging of everything that was read, one after the other.
    struct Judging: Sendable, Equatable {
        /// When its check began, or, without a check of its own, when it did.
        let moment: Timestamp
        /// Whether it is only another try to ask the store. Each check begins the delays anew.
        var isRetry: Bool
        /// Whether the check under way ends with it.
        var endsCheck: Bool
        /// The question to the store, while it is open.
        var question: Int?
        var firstDownload: Result<Timestamp, AppStoreBridge.Failure>?
        var queue: [PasteboardReading] = []
        var outcomes: [AppStoreBridge.Outcome] = []
    }

    /// Judges everything that was read and isn't finished, and reports, remembers or keeps it.
    mutating func judgeReadings(at moment: Timestamp, isRetry: Bool = false, endsCheck: Bool = false) {
        if endsCheck { check?.step = .judging }
        if let open = judging {
            judging?.isRetry = open.isRetry && isRetry
            judging?.endsCheck = open.endsCheck || endsCheck
            return
        }
        judging = Judging(moment: moment, isRetry: isRetry, endsCheck: endsCheck)
        guard policy == .firstDownload, firstDownload == nil,
            readings.indices.contains(where: { scan(&readings[$0], at: moment).referral != nil })
        else { return beginJudging(firstDownload.map { .success($0) }) }
        let number = ask(Effect.firstDownload)
        judging?.question = number
        wait(for: .firstDownload(number), settings.timeLimit)
    }

    /// Takes the store's answer. A late one counts the next time.
    mutating func receiveFirstDownload(_ answer: Result<Timestamp, AppStoreBridge.Failure>, _ number: Int) {
        if case .success(let moment) = answer, number >= firstPolicyNumber, policy == .firstDownload {
            firstDownload = moment
        }
        endQuestion(number, answer)
    }

    /// Goes on with the store's answer, or without it.
    mutating func endQuestion(_ number: Int, _ answer: Result<Timestamp, AppStoreBridge.Failure>) {
        guard judging?.question == number else { return }
        deadlines.cancel(.firstDownload(number))
        judging?.question = nil
        beginJudging(answer)
    }

    private mutating func beginJudging(_ firstDownload: Result<Timestamp, AppStoreBridge.Failure>?) {
        judging?.firstDownload = firstDownload
        judging?.queue = readings
        readings = []
        judgeNext()
    }

    /// Judges one reading after the other, until the app is to be told of one.
    private mutating func judgeNext() {
        while let reading = judging?.queue.first {
            judging?.queue.removeFirst()
            guard judgeReading(reading) else { return }
        }
        guard let judging else { return }
        self.judging = nil
        for outcome in judging.outcomes { reportOutcome(outcome) }
        updateRetries(after: judging)
        guard judging.endsCheck else { return }
        check?.outcomes += judging.outcomes
        finishCheck()
    }

    /// Judges a reading.
    ///
    /// - Returns: Whether it is finished. Otherwise the app is being told.
    private mutating func judgeReading(_ reading: PasteboardReading) -> Bool {
        guard let judging else { return true }
        var reading = reading
        guard !ledger.isLocked else {
            readings.append(reading)
            return endJudging(.waitingForUnlock)
        }
        let result = scan(&reading, at: judging.moment)
        if let referral = result.referral, policy == .firstDownload {
            switch judging.firstDownload ?? .failure(AppStoreBridge.Failure(TimeLimitExceeded())) {
            case .failure(let failure):
                readings.append(reading)
                return endJudging(.storeUnavailable(failure))
            // The store's clock and the device's may differ.
            case .success(let download)
            where download.advanced(by: scanner.window.clockTolerance) < referral.timestamp:
                markRead(reading)
                save()
                return endJudging(.installedBeforeTap)
            case .success: break
            }
        }
        guard let arrival = result.arrival else {
            finishReading(reading, result, .noReferral(result))
            return true
        }
        return !beginReport(of: arrival, at: reading.moment, .reading(reading, result))
    }

    private mutating func endJudging(_ outcome: AppStoreBridge.Outcome) -> Bool {
        judging?.outcomes.append(outcome)
        return true
    }

    /// Goes on after the app was told of a reading.
    mutating func resumeJudging(_ reading: PasteboardReading, _ result: ScanResult, _ outcome: AppStoreBridge.Outcome) {
        finishReading(reading, result, outcome)
        judgeNext()
    }

    /// Remembers or keeps a reading, now that its outcome is known.
    mutating func finishReading(_ reading: PasteboardReading, _ result: ScanResult, _ outcome: AppStoreBridge.Outcome) {
        _ = endJudging(outcome)
        if case .unreported = outcome { return readings.append(reading) }
        if result.judgments.contains(where: \.isImminent) {
            readings.append(reading)
        } else {
            markRead(reading)
            if case .found = outcome, settings.clearsPasteboard { clear(reading, result) }
        }
        save()
    }

    private mutating func markRead(_ reading: PasteboardReading) {
        ledger.markRead(reading.contents.changeCount.map(mark))
    }

    /// Scans a reading, and keeps the moment by which it is judged.
    private func scan(_ reading: inout PasteboardReading, at moment: Timestamp) -> ScanResult {
        var result = scan(reading)
        // The tap may have come after the check began: while something else was read, or before the clock was set. So the moment
        // of the present check counts, that of an activation since then, and now.
        for moment in [moment, due?.moment, now].compactMap(\.self) where result.mayBeOutOfTime {
            reading.moment = moment
            result = scan(reading)
        }
        return result
    }

    private func scan(_ reading: PasteboardReading) -> ScanResult {
        scanner.scan(reading.contents.strings, now: reading.moment, reported: ledger.reported(at: now))
    }

    /// Clears the pasteboard. Nobody waits for it: the referral is reported and remembered already.
    private mutating func clear(_ reading: PasteboardReading, _ result: ScanResult) {
        guard let changeCount = reading.contents.changeCount, result.judgments.allSatisfy(\.isForThisApp) else {
            return
        }
        perform(.clear(changeCount: changeCount))
    }

    /// Asks the store again later, as long as a reading waits for it.
    private mutating func updateRetries(after judging: Judging) {
        deadlines.cancel(.retry)
        let awaitsStore = judging.outcomes.contains { if case .storeUnavailable = $0 { true } else { false } }
        guard awaitsStore else { return }
        if !judging.isRetry { retryCount = 0 }
        guard retryCount < Self.retryDelays.count else { return }
        wait(for: .retry, Self.retryDelays[retryCount])
    }
}

private extension ScanResult {
    /// Whether another moment may find a referral.
    var mayBeOutOfTime: Bool {
        referral == nil && verdicts.contains { [.fromTheFuture, .expired].contains($0) }
    }
}
