/// Contents of the pasteboard that the bridge read and hasn't finished with. It keeps them, so that nobody is asked again.
struct PasteboardReading: Sendable, Equatable {
    let contents: PasteboardContents

    /// When the check began. The taps are judged by this moment, however late the answer comes.
    var moment: Timestamp
}

/// What the bridge does with the strings that it read.
extension Launch {
    /// The judging of everything that was read, one after the other.
    struct Judging: Sendable, Equatable {
        /// When its check began, or, without a check of its own, when it did.
        let moment: Timestamp
        /// Whether the check under way ends with it.
        var endsCheck: Bool
        var queue: [PasteboardReading]
        var outcomes: [AppStoreBridge.Outcome] = []
    }

    /// Judges everything that was read and isn't finished, and reports, remembers or keeps it.
    mutating func judgeReadings(at moment: Timestamp, endsCheck: Bool = false) {
        if endsCheck { check?.step = .judging }
        guard judging == nil else {
            if endsCheck { judging?.endsCheck = true }
            return
        }
        judging = Judging(moment: moment, endsCheck: endsCheck, queue: readings)
        readings = []
        judgeNext()
    }

    /// Judges one reading after the other, until the app is to be told of one.
    mutating func judgeNext() {
        while let reading = judging?.queue.first {
            judging?.queue.removeFirst()
            guard judgeReading(reading) else { return }
        }
        guard let judging else { return }
        self.judging = nil
        for outcome in judging.outcomes { reportOutcome(outcome) }
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
            self.judging?.outcomes.append(.waitingForUnlock)
            return true
        }
        let result = scan(&reading, at: judging.moment)
        guard let arrival = result.arrival else {
            finishReading(reading, result, .noReferral(result))
            return true
        }
        return !beginReport(of: arrival, at: reading.moment, .reading(reading, result))
    }

    /// Remembers or keeps a reading, now that its outcome is known.
    mutating func finishReading(_ reading: PasteboardReading, _ result: ScanResult, _ outcome: AppStoreBridge.Outcome) {
        judging?.outcomes.append(outcome)
        if case .unreported = outcome { return readings.append(reading) }
        ledger.markRead(reading.contents.changeCount.map(mark))
        save()
    }

    /// Scans a reading, and keeps the moment by which it is judged.
    private func scan(_ reading: inout PasteboardReading, at moment: Timestamp) -> ScanResult {
        let reported = reported
        var result = scanner.scan(reading.contents.strings, now: reading.moment, reported: reported)
        // The tap may have come after the check began: while something else was read, or before the clock was set. So the moment
        // of the present check counts, that of an activation since then, and now.
        for moment in [moment, due?.moment, now].compactMap(\.self) where result.mayBeOutOfTime {
            reading.moment = moment
            result = scanner.scan(reading.contents.strings, now: moment, reported: reported)
        }
        return result
    }
}

private extension ScanResult {
    /// Whether another moment may find a referral.
    var mayBeOutOfTime: Bool {
        referral == nil && verdicts.contains { [.fromTheFuture, .expired].contains($0) }
    }
}
