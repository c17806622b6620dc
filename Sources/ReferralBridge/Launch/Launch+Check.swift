/// When the bridge reads the pasteboard: while the app is active, once for each content unless that failed, and one read at a time.
extension Launch {
    /// A check that is to begin.
    struct DueCheck: Sendable, Equatable {
        /// When the app became active or asked for the check. Taps are judged by it, so that nobody loses a tap by taking a while to
        /// answer the system's question.
        let moment: Timestamp

        /// Whether the app has only returned from the question, so that nobody is told of an unchanged pasteboard.
        let isQuiet: Bool
    }

    /// A check under way.
    struct Check: Sendable, Equatable {
        enum Step: Sendable, Equatable {
            case starting(Int)
            case readingClip(Int)
            case tellingOfClip
            case savingClip
            case removingClip(Int)
            case counting(Int)
            case probing(Int)
            case reading(Int)
            case judging
        }

        let due: DueCheck
        var step: Step
        var changeCount: Int?
        /// How often the app had gone to the background when the pasteboard was first looked at.
        var departures = 0
        var outcomes: [AppStoreBridge.Outcome] = []
    }

    struct Attempt: Sendable, Equatable {
        let changeCount: Int
        let activation: Int
    }

    /// Begins a check, or puts it off until the app is active. Calls during a check wait for the same check.
    mutating func requestCheck(_ call: Int, _ activity: AppActivityState?) {
        calls.append(call)
        deadlines.set(call, after: settings.timeLimit, at: moment.steady)
        if let activity, !isObserving {
            isObserving = true
            foreground = ForegroundTracker(activity)
            perform(.observeActivity)
        } else if activity == nil {
            foreground.countActivation()
            if case .probing? = check?.step { interruptCheck() }
        }
        guard check == nil else { return }
        due = DueCheck(moment: now, isQuiet: false)
        startCheckIfDue()
    }

    mutating func appDidChange(to state: AppActivityState) {
        let activations = foreground.activations
        foreground.change(to: state)
        guard state == .active else { return }
        let isActivation = foreground.activations != activations
        if settings.checksAtActivation && isObserving || due != nil {
            let moment = isActivation ? nil : due?.moment
            due = DueCheck(moment: moment ?? now, isQuiet: due == nil && !isActivation)
        }
        // The system may have lost a silent look that it hasn't answered, so it is asked again.
        if let check, case .probing = check.step {
            due = check.due
            return interruptCheck()
        }
        // What was read before doesn't wait for a read that still goes on.
        if check != nil, !readings.isEmpty { judgeReadings(at: now) }
        startCheckIfDue()
    }

    mutating func startCheckIfDue() {
        guard check == nil, foreground.state == .active, let due else { return }
        self.due = nil
        // Before an app has finished launching, the system says that it is active. The answer comes a turn later.
        check = Check(due: due, step: .starting(ask(Effect.activity)))
    }

    mutating func receiveActivity(_ state: AppActivityState?, _ number: Int) {
        guard check?.step == .starting(number) else { return }
        if let state, state != .active { foreground.change(to: state) }
        guard foreground.state == .active, !ledger.isLocked else { return lookAtPasteboard() }
        // An earlier launch held it.
        if !settings.holdsArrivals, let held = record.heldArrival { beginRelease(of: held, call: nil) }
        if settings.hasClip { proceed(to: Check.Step.readingClip, Effect.clip) } else { lookAtPasteboard() }
    }

    /// Asks the question of the check's next step.
    mutating func proceed(to step: (Int) -> Check.Step, _ question: (Int) -> Effect) {
        let number = ask(question)
        check?.step = step(number)
    }

    /// Ends the check with an outcome of the pasteboard.
    mutating func endCheck(_ outcome: AppStoreBridge.Outcome) {
        guard let due = check?.due else { return }
        check?.outcomes.append(outcome)
        if outcome == .unchanged, due.isQuiet { return finishCheck() }
        // An outcome of what was read before says more than that nothing has changed.
        if outcome != .unchanged || readings.isEmpty { reportOutcome(outcome) }
        judgeReadings(at: due.moment, endsCheck: true)
    }

    /// Puts the check off, since the app has left the foreground, and a pasteboard gives nothing to an app in the background.
    private mutating func interruptCheck() {
        guard let check else { return }
        due = due ?? check.due
        // That the App Clip's file doesn't count is no answer to those who wait.
        self.check?.outcomes.removeAll { $0.arrival == nil }
        judgeReadings(at: check.due.moment, endsCheck: true)
    }

    /// Answers those who wait. If the check was only put off, they keep waiting.
    mutating func finishCheck() {
        let outcomes = check?.outcomes ?? []
        check = nil
        if let outcome = outcomes.last(where: { $0.arrival != nil }) ?? outcomes.last {
            for call in calls { resume(call, with: outcome) }
        }
        startCheckIfDue()
    }
}

// MARK: - The pasteboard

extension Launch {
    mutating func lookAtPasteboard() {
        guard foreground.state == .active else { return interruptCheck() }
        if ledger.isLocked { return endCheck(.waitingForUnlock) }
        let isOver = settings.policy == .firstLaunch && record.isFirstLaunchOver
        if clipHasReferred || isOver { return endCheck(.skipped) }
        check?.departures = foreground.departures
        proceed(to: Check.Step.counting, Effect.changeCount)
    }

    /// Whether the app has been in front since the pasteboard was first looked at.
    private var hasStayed: Bool { foreground.departures == check?.departures }

    mutating func receiveChangeCount(_ changeCount: Int?, _ number: Int) {
        guard check?.step == .counting(number) else { return }
        check?.changeCount = changeCount
        if wasRead(changeCount) { return endCheck(.unchanged) }
        guard foreground.state == .active, hasStayed else { return interruptCheck() }
        proceed(to: Check.Step.probing, Effect.probe)
    }

    mutating func receiveProbe(_ hasLink: Result<Bool, AppStoreBridge.Failure>, _ number: Int) {
        guard check?.step == .probing(number) else { return }
        guard foreground.state == .active, hasStayed else { return interruptCheck() }
        switch hasLink {
        case .failure(let failure): endCheck(.readFailed(failure))
        case .success(true):
            foreground.isReading = true
            proceed(to: Check.Step.reading, Effect.contents)
        case .success(false):
            if !record.isFirstLaunchOver {
                ledger.endFirstLaunch()
                save()
            }
            endCheck(.noLinkDetected)
        }
    }

    mutating func receiveContents(_ contents: Result<PasteboardContents, AppStoreBridge.Failure>, _ number: Int) {
        guard let check, check.step == .reading(number) else { return }
        foreground.isReading = false
        switch contents {
        case .success(let contents) where !contents.strings.isEmpty:
            // What is kept and was read again without a change count keeps its moment, by which its tap may be in time.
            let isKept = readings.contains { $0.contents == contents }
            if !isKept { readings.append(PasteboardReading(contents: contents, moment: check.due.moment)) }
            judgeReadings(at: check.due.moment, endsCheck: true)
        case _ where !hasStayed: interruptCheck()
        case .success(let contents):
            markAttempt(contents.changeCount)
            if let changeCount = contents.changeCount {
                ledger.markEmptyRead(mark(changeCount), at: now)
                save()
            }
            endCheck(.emptyOrDenied)
        case .failure(let failure):
            markAttempt(check.changeCount)
            endCheck(.readFailed(failure))
        }
    }

    /// Whether not to read this content, now or ever again. Without a change count, no question follows another at once.
    private func wasRead(_ changeCount: Int?) -> Bool {
        guard let changeCount else { return check?.due.isQuiet ?? false }
        return attempt == Attempt(changeCount: changeCount, activation: foreground.activations)
            || readings.contains { $0.contents.changeCount == changeCount }
            || record.lastRead?.matches(mark(changeCount)) ?? false
    }

    /// Remembers that this content was tried, and isn't tried again at this activation.
    ///
    /// The system's question makes the app inactive and then active again, so that an app that checks whenever it becomes active
    /// would ask forever.
    private mutating func markAttempt(_ changeCount: Int?) {
        attempt = changeCount.map { Attempt(changeCount: $0, activation: foreground.activations) }
    }
}
