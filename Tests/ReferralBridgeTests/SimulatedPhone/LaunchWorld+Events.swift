@testable import ReferralBasics
@testable import ReferralBridge

/// What happens to the phone and the app.
extension LaunchWorld {
    /// Lets the history happen; at its end all works, and a last tap gets through.
    mutating func run() {
        for event in history.events { happen(event) }
        happen(.wait(300_000))
        judgeVisit()
        guard violations.isEmpty else { return }
        if isRunning, !isSuspended, app.launch.nextWake != nil { violate("a deadline never comes") }
        if isRunning, !isSuspended, !app.calls.isEmpty { violate("a call is never answered") }
        (latency, probeLatency, clipLatency, failingAccess, isDiskFull) = (0, 0, 0, nil, false)
        let last: [History.Event] = [
            .person(.init()), .listener(true), .ready(true), .tap(ahead: 0, inSplitView: false),
            .wait(20_000), .open, .wait(300_000), .crash, .open, .wait(100_000), .leave,
        ]
        for event in last { happen(event) }
        endProcess()
    }

    mutating func happen(_ event: History.Event) {
        guard violations.isEmpty else { return }
        switch event {
        case .wait(let milliseconds): advance(by: milliseconds)
        case .tap(let ahead, let inSplitView):
            if !inSplitView { leave() }
            tap(now.advanced(by: ahead / 1_000))
        case .copy(let isAddress):
            otherCount += 1
            let types = [SimulatedDevice.Clipboard.address, SimulatedDevice.Clipboard.selection][otherCount % 2]
            let text = isAddress ? "https://example.com/\(otherCount)" : "a note"
            put(Content(strings: [text], isLink: isAddress, types: types))
        case .receive(let age):
            if let age {
                tap(now.advanced(by: -age / 1_000))
            } else {
                put(Content(strings: ["https://example.com"], isLink: true))
            }
        case .open:
            isLocked = false
            open()
        case .openOverLockScreen: open()
        case .launchInBackground: if !isRunning { launch(.background) }
        case .leave: leave()
        case .glanceAway:
            leave()
            advance(by: 500)
            if isRunning { open() }
        case .cover: if app.state == .active { move(to: .inactive) }
        case .uncover: if app.state == .inactive, !app.isQuestionOpen { move(to: .active) }
        case .crash: endProcess()
        case .restart:
            endProcess()
            // Longer than the minute that a mark allows for drift.
            elapsed += 90_000
            (started, changeCount, isLocked) = (elapsed, 0, true)
            epoch += 1
        case .setClock(let milliseconds):
            clockOffset += milliseconds
            app.visit.isVoid = true
            epoch += 1
        case .reinstall:
            endProcess()
            (ledger, clip, held, reports, clipReferral) = (LedgerRecord(), nil, nil, [], nil)
            (mayFirstLaunchBeOver, isFirstLaunchOver) = (false, false)
            wasLaunched = false
            epoch += 1
        case .person(let person): self.person = person
        case .latency(let milliseconds): latency = milliseconds
        case .probeLatency(let milliseconds): probeLatency = milliseconds
        case .clipLatency(let milliseconds): clipLatency = milliseconds
        case .failure(let access): failingAccess = access
        case .listener(let isThere):
            hasListener = isThere
            if !isThere { app.visit.isVoid = true }
        case .openAddress(let again):
            // Nobody opens two addresses within a millisecond.
            advance(by: 1)
            openAddress(again: again)
        case .copyLanding:
            put(Content(strings: [SimulatedDevice.landingAddress(name("copied"))], isLink: true))
        case .openClip(let content):
            // Once the app is there, the address opens the app.
            let name = name("clip")
            if !wasLaunched { clip = .init(name, content, at: now, clockOffset: clockOffset) }
            // Nobody taps again within a millisecond.
            advance(by: 1)
        case .ready(let isReady):
            self.isReady = isReady
            if isRunning { hold(!isReady) }
        case .diskFull(let isFull):
            isDiskFull = isFull
            if isFull { app.visit.isDiskFull = true }
        case .check: check()
        case .paste:
            // Nobody pastes twice within a millisecond.
            advance(by: 1)
            if isRunning, app.state == .active { paste() }
        }
        advance()
    }

    /// The app becomes active or not, and hears of it.
    mutating func move(to state: AppActivityState) {
        guard isRunning, state != app.state else { return }
        let isReturn = app.mayBeAsking
        if state == .inactive, app.state == .active { app.mayBeAsking = app.isReading }
        if state == .background {
            app.departures += 1
            (app.mayBeAsking, app.hasLeftQuestion) = (false, true)
        }
        app.state = state
        if state == .active {
            if !isReturn { app.activations += 1 }
            if !isReturn || app.visit.isReplaced { beginVisit(isVoid: isReturn && app.visit.isVoid) }
        }
        if app.isObserved { send(.appBecame(state)) }
        if state == .active, let read = app.waiting {
            app.waiting = nil
            wait(1_000, for: .question(read))
        }
    }
}

private extension LaunchWorld {
    mutating func name(_ prefix: String) -> String {
        tapCount += 1
        return "\(prefix)-\(tapCount)"
    }

    mutating func tap(_ timestamp: Timestamp) {
        let tap = Tap(referrer: name("tap"), timestamp: timestamp)
        let strings = [link(tap.referrer, at: timestamp)]
        put(Content(strings: strings, tap: tap, isLink: true, types: SimulatedDevice.Clipboard.page))
    }

    mutating func leave() {
        guard isRunning, app.state != .background else { return }
        judgeVisit()
        move(to: .inactive)
        move(to: .background)
    }

    mutating func launch(_ state: AppActivityState) {
        wasLaunched = true
        app = App(number: app.number + 1, launch: Self.launch(state, at: moment), state: state)
        app.launch.settings.probe = history.probe
        app.launch.settings.hasClip = true
        isRunning = true
        app.launch.settings.policy = history.policy == .everyone ? .everyone : .firstLaunch
        if !isReady { hold(true) }
        // Until the app has finished launching, the system says that it is active.
        if history.checksAtLaunch { check(as: .active) }
    }

    mutating func open() {
        guard isRunning else {
            launch(.inactive)
            advance()
            return move(to: .active)
        }
        move(to: .inactive)
        if !app.isQuestionOpen || app.hasLeftQuestion { move(to: .active) }
    }

    mutating func check(as state: AppActivityState? = nil) {
        guard isRunning else { return }
        // Within one activation the same content is looked at once, and a call during a check waits for that check.
        if app.state == .active, pending.allSatisfy({ isGivenUp($0.step) }),
            !app.hasChecked || app.visit.isReplaced
        {
            beginVisit(isVoid: false)
        }
        app.hasChecked = true
        let state = state ?? app.state
        _ = call { .checkRequested(call: $0, activity: state) }
    }

    mutating func hold(_ holds: Bool) {
        guard holds != app.isHolding else { return }
        if holds {
            app.launch.settings.holdsArrivals = true
        } else {
            app.isReleasing = true
            _ = answer { .released(call: $0) }
            app.isReleasing = false
        }
        app.isHolding = holds
    }

    mutating func paste() {
        let content = contents[contents.count - 1]
        // After a newer one, a tap counts as reported.
        let isOwed =
            content.tap.map { tap in
                isCounted(tap, at: now) && !isReported(tap) && !reports.contains { $0.tap.timestamp > tap.timestamp }
            } ?? false
        guard let outcome = answer({ .pasted(call: $0, content.strings, code: nil) }) else { return }
        note(outcome)
        if isOwed, !isLocked, hasListener || app.isHolding, !outcome.isReported { violate("a pasted tap was lost") }
    }

    /// A tap on a landing page's address elsewhere brings the app to the front with it.
    mutating func openAddress(again: Double?) {
        let name = name("opened")
        if isRunning { open() } else { launch(.inactive) }
        pass(name, isRepeated: false)
        if app.state == .inactive, !app.isQuestionOpen { move(to: .active) }
        guard let again else { return }
        advance(by: again)
        if isRunning { pass(name, isRepeated: true) }
    }

    /// The system passes an address to the app.
    mutating func pass(_ name: String, isRepeated: Bool) {
        let address = SimulatedDevice.landingAddress(name)
        guard let outcome = answer({ .opened(call: $0, address: address) }) else { return }
        note(outcome)
        switch outcome {
        case .waitingForUnlock where isLocked: break
        case .unreported where !hasListener && !app.isHolding: break
        case .noReferral(let result) where isRepeated && result.verdicts == [.alreadyReported]: break
        case .found, .held:
            if isRepeated { violate("\(name) counted twice within two seconds") }
            if !reports.contains(where: { $0.tap.referrer == name }) { violate("nobody was told of \(name)") }
        default: violate("\(name) was lost when its address opened the app: \(outcome)")
        }
    }
}

private extension AppStoreBridge.Outcome {
    var isReported: Bool {
        switch self {
        case .found, .held: true
        default: false
        }
    }
}
