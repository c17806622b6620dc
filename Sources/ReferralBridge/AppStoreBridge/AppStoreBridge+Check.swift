/// When the bridge reads the pasteboard: while the app is active, once for each content, and one read at a time.
extension AppStoreBridge {
    /// Begins a check, or puts it off until the app is active.
    func requestCheck() {
        if let activity {
            if !isObserving {
                isObserving = true
                foreground = ForegroundTracker(activity.state)
                activity.observe { [weak self] state in self?.appDidChange(to: state) }
            }
        } else {
            foreground.countActivation()
        }
        guard check == nil else { return }
        due = (clock.now(), isQuiet: false)
        startCheckIfDue()
    }

    private func appDidChange(to state: AppActivityState) {
        let activations = foreground.activations
        foreground.change(to: state)
        guard state == .active else { return }
        let isActivation = foreground.activations != activations
        if checksAtActivation || due != nil {
            let moment = isActivation ? nil : due?.moment
            due = (moment ?? clock.now(), isQuiet: due == nil && !isActivation)
        }
        // Contents that were read before don't wait for a read that isn't finished.
        if check != nil, !unfinished.isEmpty { Task { await finishReadings(at: clock.now()) } }
        startCheckIfDue()
    }

    func startCheckIfDue() {
        guard let (moment, isQuiet) = due, check == nil, foreground.state == .active else { return }
        due = nil
        check = Task {
            let outcomes = await performCheck(at: moment, isQuiet: isQuiet)
            check = nil
            if let last = outcomes.last {
                let answered = outcome
                outcome = Pending(clock)
                answered.resolve(outcomes.last { $0.arrival != nil } ?? last)
            }
            startCheckIfDue()
        }
    }

    /// Starts a check with a late answer.
    func receive(_ probe: PasteboardProbes.Probe) {
        guard probes.accept(probe, departures: foreground.departures) else { return }
        if case .failure(let failure) = probe.answer {
            // The next activation tries again.
            if check == nil { tell(.failed(failure)) }
            return
        }
        due = due ?? (probe.moment, isQuiet: true)
        startCheckIfDue()
    }

    /// Reads the pasteboard and judges what was read.
    ///
    /// - Parameters:
    ///   - moment: When the app became active or asked for the check. Taps are judged by it, so that nobody loses a tap by
    ///     taking a while to answer the system's question.
    ///   - isQuiet: Whether the app has only returned from the question, so that nobody is told of an unchanged pasteboard.
    /// - Returns: How the check ended. It is empty if the app left the foreground meanwhile; then the check is due again.
    private func performCheck(at moment: Timestamp, isQuiet: Bool) async -> [Outcome] {
        // Before an app has finished launching, the system says that it is active.
        if let state = activity?.state, state != .active { foreground.change(to: state) }
        var clip: [Outcome] = []
        if foreground.state == .active, let record = ledger.loadIfUnlocked() {
            // An earlier launch held it.
            if !holdsArrivals, record.heldArrival != nil { releaseArrivals() }
            clip = await checkClip()
        }
        return clip + (await checkPasteboard(at: moment, isQuiet: isQuiet))
    }

    private func checkPasteboard(at moment: Timestamp, isQuiet: Bool) async -> [Outcome] {
        switch await readPasteboard(at: moment) {
        case .ended(.unchanged) where isQuiet:
            return [.unchanged]
        case .interrupted:
            due = due ?? (moment, isQuiet)
            return await finishReadings(at: moment)
        case .contents(let contents):
            unfinished.removeAll { $0.contents == contents }
            unfinished.append(PasteboardReading(contents: contents, moment: moment))
            return await finishReadings(at: moment)
        case .ended(let outcome):
            // The outcome of an earlier read says more than `unchanged`.
            if outcome != .unchanged || unfinished.isEmpty { tell(outcome) }
            return [outcome] + (await finishReadings(at: moment))
        }
    }
}

// MARK: - The read

private extension AppStoreBridge {
    enum Step {
        case ended(Outcome)
        case contents(PasteboardContents)
        /// The app left the foreground, and a pasteboard gives nothing to an app in the background. Its answer is ignored.
        case interrupted
    }

    func readPasteboard(at moment: Timestamp) async -> Step {
        guard foreground.state == .active else { return .interrupted }
        if ledger.isLocked { return .ended(.waitingForUnlock) }
        if clipHasReferred { return .ended(.skippedAfterClip) }
        if case .firstLaunch = attributionPolicy, ledger.record.isFirstLaunchOver { return .ended(.skippedByPolicy) }
        let departures = foreground.departures

        let changeCount = await pasteboard.changeCount
        if let changeCount, wasRead(changeCount) { return .ended(.unchanged) }
        guard foreground.state == .active, foreground.departures == departures else { return .interrupted }
        let sight = await probes.look(changeCount, departures: departures, at: moment)
        guard foreground.state == .active, foreground.departures == departures else { return .interrupted }
        switch sight {
        case nil: return .ended(.stillReading)
        case .failure(let failure): return .ended(.failed(failure))
        case .success(.noLink):
            endFirstLaunch()
            return .ended(.noLinkDetected)
        case .success(.otherLink(let types)):
            endFirstLaunch()
            return .ended(.notCopiedByAPage(types: types))
        case .success(.link): break
        }

        foreground.isReading = true
        defer { foreground.isReading = false }
        do {
            let contents = try await pasteboard.contents()
            if !contents.strings.isEmpty { return .contents(contents) }
            guard foreground.departures == departures else { return .interrupted }
            markAttempt(contents.changeCount)
            if let changeCount = contents.changeCount {
                ledger.loadIfUnlocked()
                ledger.markEmptyRead(changeCount)
                ledger.save()
            }
            return .ended(.emptyOrDenied)
        } catch {
            guard foreground.departures == departures else { return .interrupted }
            markAttempt(changeCount)
            return .ended(.failed(Failure(error)))
        }
    }

    /// Remembers that there was nothing to read.
    func endFirstLaunch() {
        guard !ledger.record.isFirstLaunchOver else { return }
        ledger.loadIfUnlocked()
        ledger.endFirstLaunch()
        ledger.save()
    }

    /// Whether not to read this content, now or ever again.
    func wasRead(_ changeCount: Int) -> Bool {
        if let attempt, attempt == (changeCount, foreground.activations) { return true }
        if unfinished.contains(where: { $0.contents.changeCount == changeCount }) { return true }
        return ledger.record.lastRead?.matches(ledger.mark(changeCount)) ?? false
    }

    /// Remembers that this content was tried at this activation, and isn't tried again.
    ///
    /// The system's question makes the app inactive and then active again, so that an app that checks whenever it becomes
    /// active would ask forever.
    func markAttempt(_ changeCount: Int?) {
        attempt = changeCount.map { ($0, foreground.activations) }
    }
}
