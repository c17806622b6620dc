/// How the app is told of a referral: once, before the ledger learns of it, so that a crash in between loses nothing.
extension Launch {
    /// A referral of which the app is being told, and what goes on afterwards.
    enum Report: Sendable, Equatable {
        case clip(ClipInvocation)
        case reading(PasteboardReading, ScanResult)
        /// A call with pasted texts, or with an address; that of a landing page is remembered for a moment.
        case call(Int, landingAddress: String?)
        /// The arrival that was held, with the call that releases it, if there is one.
        case release(call: Int?)
    }

    struct PendingReport: Sendable, Equatable {
        let arrival: Arrival
        /// The moment by which its tap counts as reported; `nil` for an arrival that was held, which does already.
        let moment: Timestamp?
        let report: Report
    }

    /// The taps that were reported, and those of which the app is just being told, since a listener may call the bridge again.
    var reported: ReportedTaps {
        var reported = record.reported
        for pending in reports.values {
            guard let moment = pending.moment else { continue }
            reported.insert(pending.arrival.timestamp, at: moment, within: scanner.window)
        }
        return reported
    }

    /// Tells the app of a referral, or holds it.
    ///
    /// - Returns: Whether the app is being told. Otherwise it is held, and the report is finished.
    mutating func beginReport(of arrival: Arrival, at moment: Timestamp, _ report: Report) -> Bool {
        if settings.holdsArrivals {
            ledger.insertReported(arrival.timestamp, at: moment)
            ledger.hold(arrival, at: now)
            finishReport(report, .held(arrival))
            return false
        }
        let number = ask { .tell($0, arrival) }
        reports[number] = PendingReport(arrival: arrival, moment: moment, report: report)
        return true
    }

    mutating func endReport(_ number: Int, isHeard: Bool) {
        guard let pending = reports.removeValue(forKey: number) else { return }
        if isHeard, let moment = pending.moment { ledger.insertReported(pending.arrival.timestamp, at: moment) }
        let outcome: AppStoreBridge.Outcome = isHeard ? .found(pending.arrival) : .unreported(pending.arrival)
        finishReport(pending.report, outcome)
        if case .reading = pending.report { judgeNext() }
    }

    private mutating func finishReport(_ report: Report, _ outcome: AppStoreBridge.Outcome) {
        let isUnreported = if case .unreported = outcome { true } else { false }
        switch report {
        case .clip(let invocation): finishClip(invocation, outcome)
        case .reading(let reading, let result): finishReading(reading, result, outcome)
        case .call(let call, let address):
            if !isUnreported {
                if let address { openings.insert(address, at: now) }
                save()
            }
            resume(call, with: outcome)
        case .release(let call):
            // The app may have held another one meanwhile.
            if isUnreported { ledger.hold(outcome.arrival, at: now) } else { save() }
            if let call { resume(call, with: outcome) }
        }
    }
}

// MARK: - Calls of the app

extension Launch {
    /// Judges texts that the user pasted.
    mutating func paste(_ strings: [String], _ call: Int) {
        let strings = PasteboardContents(strings: strings).strings
        guard !strings.isEmpty else { return resume(call, with: .emptyOrDenied) }
        guard !ledger.isLocked else { return resume(call, with: .waitingForUnlock) }
        finish(call, with: scanner.scan(strings, now: now, reported: reported, road: .pasteButton))
    }

    /// Judges an address that opened the app.
    mutating func open(_ address: String, _ call: Int) {
        guard !ledger.isLocked else { return resume(call, with: .waitingForUnlock) }
        var judgment = scanner.judge(address, on: .opened, now: now, reported: reported)
        let isLandingPage = judgment.arrival != nil && judgment.link == nil
        if isLandingPage, openings.contains(address, at: now) { judgment.replace(with: .alreadyReported) }
        finish(call, with: ScanResult([judgment]), landingAddress: isLandingPage ? address : nil)
    }

    private mutating func finish(_ call: Int, with result: ScanResult, landingAddress: String? = nil) {
        guard let arrival = result.arrival else {
            if let landingAddress { openings.insert(landingAddress, at: now) }
            return resume(call, with: .noReferral(result))
        }
        _ = beginReport(of: arrival, at: now, .call(call, landingAddress: landingAddress))
    }

    /// Reports what is held, and from now on reports each arrival at once.
    mutating func release(_ call: Int) {
        settings.holdsArrivals = false
        guard !ledger.isLocked else { return resume(call, with: .waitingForUnlock) }
        guard let held = record.heldArrival else { return resume(call, with: .unchanged) }
        beginRelease(of: held, call: call)
    }

    mutating func beginRelease(of arrival: Arrival, call: Int?) {
        // A listener may call the bridge again.
        ledger.hold(nil, at: now)
        let number = ask { .tell($0, arrival) }
        reports[number] = PendingReport(arrival: arrival, moment: nil, report: .release(call: call))
    }
}
