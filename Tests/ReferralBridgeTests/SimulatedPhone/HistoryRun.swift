import Foundation
import ReferralBridge
import SimulatedRuntime

/// Lets a history happen, and checks the bridge's promises.
///
/// What a promise is owed is worked out from the device alone, with rules of its own: nothing here asks the bridge.
@MainActor
final class HistoryRun {
    private let history: History
    private let device = SimulatedDevice()
    private var hasListener = true
    private var isReady = true
    private var wasLaunched = false
    private var tapCount = 0
    private var otherCount = 0
    private var addressCount = 0

    /// How many taps were reported.
    private(set) var reports = 0

    init(_ history: History) {
        self.history = history
    }

    /// What went wrong; empty if every promise was kept.
    func violations() -> [String] {
        var hasEnded = false
        JobQueue.run { [self] in
            for event in history.events where device.violations.isEmpty {
                happen(event)
                JobQueue.drain()
                if device.process?.isAlive == false { device.terminate() }
            }
            if device.violations.isEmpty { end() }
            hasEnded = true
        }
        if !hasEnded { device.violate("the history didn't happen") }
        reports = device.installation.reports.count
        return device.violations
    }

    /// A quiet end: every question is answered and every timer runs out, and then the app is gone without a trace.
    private func end() {
        device.advance(by: 30_000)
        judgeVisit()
        weak let process = device.process
        weak let bridge = device.process?.bridge
        device.terminate()
        JobQueue.drain()
        if bridge != nil { device.violate("something waits for ever: the bridge is still there") }
        if process != nil { device.violate("something waits for ever: the process is still there") }
    }
}

// MARK: - Events

private extension HistoryRun {
    func happen(_ event: History.Event) {
        let process = device.process
        switch event {
        case .wait(let milliseconds): device.advance(by: milliseconds)
        case .tap(let ahead, let inSplitView):
            if !inSplitView { leave() }
            tap(device.now.advanced(by: ahead / 1_000))
        case .copy(let isAddress):
            otherCount += 1
            put(.init([isAddress ? "https://example.com/\(otherCount)" : "a note"], isLink: isAddress))
        case .receive(let age):
            if let age {
                tap(device.now.advanced(by: -age / 1_000))
            } else {
                put(.init(["https://example.com"], isLink: true))
            }
        case .open:
            device.isLocked = false
            open()
        case .openOverLockScreen: open()
        case .launchInBackground:
            if process == nil { launch(inFront: false) }
        case .leave: leave()
        case .glanceAway:
            leave()
            device.advance(by: 500)
            if process != nil { open() }
        case .cover:
            if process?.state == .active { process?.move(to: .inactive) }
        case .uncover:
            if process?.state == .inactive, process?.isQuestionOpen == false { process?.move(to: .active) }
        case .crash:
            judgeVisit()
            device.terminate()
        case .crashAt(let moment): device.crashMoment = moment
        case .restart:
            judgeVisit()
            device.restart()
        case .setClock(let milliseconds): device.setClock(by: milliseconds)
        case .reinstall:
            judgeVisit()
            device.reinstall()
            wasLaunched = false
        case .person(let person): device.person = person
        case .latency(let milliseconds): device.latency = milliseconds
        case .probeLatency(let milliseconds): device.probeLatency = milliseconds
        case .failure(let access): device.failingAccess = access
        case .listener(let isThere):
            hasListener = isThere
            process?.setListener(isThere)
        case .openAddress(let again): openAddress(again: again)
        case .copyLanding:
            addressCount += 1
            let referrer = "copied-\(addressCount)"
            let clipboard = SimulatedDevice.Clipboard([SimulatedDevice.landingAddress(referrer)], isLink: true)
            clipboard.landing = referrer
            put(clipboard)
        case .openClip(let content):
            // Once the app is there, the address opens the app.
            addressCount += 1
            if !wasLaunched { device.openClip("clip-\(addressCount)", content) }
        case .clipLatency(let milliseconds): device.clipLatency = milliseconds
        case .ready(let ready):
            isReady = ready
            process?.setHolding(!ready)
        case .diskFull(let isFull): device.isDiskFull = isFull
        case .check: process?.check()
        case .paste:
            // Nobody pastes twice within a millisecond.
            device.advance(by: 1)
            if process?.state == .active { process?.paste() }
        }
    }

    func open() {
        guard let process = device.process else {
            launch(inFront: true)
            JobQueue.drain()
            device.process?.move(to: .active)
            return
        }
        process.move(to: .inactive)
        if !process.isQuestionOpen || process.hasLeftQuestion { process.move(to: .active) }
    }

    /// A tap on a landing page's address elsewhere brings the app to the front with it.
    func openAddress(again: Double?) {
        addressCount += 1
        let address = SimulatedDevice.landingAddress("opened-\(addressCount)")
        if device.process == nil { launch(inFront: true) } else { open() }
        device.process?.handle(address)
        if device.process?.state == .inactive, device.process?.isQuestionOpen == false {
            device.process?.move(to: .active)
        }
        guard let again else { return }
        device.advance(by: again)
        device.process?.handle(address, isRepeated: true)
    }

    func launch(inFront: Bool) {
        wasLaunched = true
        device.launch(inFront: inFront) { process in
            process.start(history.policy, checks: history.checksAtLaunch, isListening: hasListener, isReady: isReady)
        }
    }

    func leave() {
        guard let process = device.process, process.state != .background else { return }
        judgeVisit()
        process.move(to: .inactive)
        process.move(to: .background)
    }

    func tap(_ timestamp: Timestamp) {
        tapCount += 1
        let whole = Timestamp(milliseconds: timestamp.milliseconds.rounded(.down))
        let tap = SimulatedDevice.Tap(referrer: "tap-\(tapCount)", timestamp: whole)
        put(.init([link(tap.referrer, at: whole)], taps: [tap], isLink: true))
    }

    func put(_ clipboard: SimulatedDevice.Clipboard) {
        device.process?.noteReplacement()
        device.copy(clipboard)
    }
}

// MARK: - What is owed

private extension HistoryRun {
    /// At the end of a visit to the app: what the App Clip brought and what was held have reached the app, if it listens.
    func judgeRoads(_ process: SimulatedProcess) {
        guard !process.visit.failed, !device.isLocked else { return }
        let wasHolding = process.visit.wasHolding && process.isHolding
        if process.visit.hadListener || wasHolding, !process.hasClipFailed, let tap = device.owedClipTap {
            device.violate("the App Clip's \(tap.referrer) was lost")
        }
        if process.visit.hadListener, !process.isHolding, let held = device.held {
            device.violate("\(held.referrer) is held although the app is ready")
        }
        process.compareHeld()
    }

    /// At the end of a visit to the app: a tap that was on the clipboard when the app came to the front, within the window,
    /// and that the person allowed, has been reported.
    func judgeVisit() {
        guard let process = device.process, process.isAlive, process.state == .active, process.isQuiet,
            process.hasChecked
        else { return }
        judgeRoads(process)
        let visit = process.visit
        if process.hasClipReferral { return }
        // So does one that the App Clip's referral was newer than.
        if let clip = device.installation.clipReferral, let tap = visit.clipboard?.taps.last, clip >= tap.timestamp {
            return
        }
        if let offset = visit.clockOffset, offset != device.clockOffset { return }
        guard visit.probes.asked == 0 || visit.probes.answered > 0 else { return }
        guard let clipboard = visit.clipboard, let tap = clipboard.taps.last, !visit.wasReplaced, !visit.failed else {
            return
        }
        let age = visit.moment.milliseconds - tap.timestamp.milliseconds
        let isCounted = age < 300_000 && age >= -30_000
        guard isCounted, visit.hadListener, !clipboard.wasDeclined, !clipboard.wasReadTooEarly else { return }
        switch history.policy {
        case .everyone: break
        case .firstLaunch: if visit.isFirstLaunchOver { return }
        }
        let reports = device.installation.reports
        if device.installation.emptyReads[ObjectIdentifier(clipboard), default: 0] > 1 { return }
        if reports.contains(where: { $0.tap.timestamp == tap.timestamp }) { return }
        // A newer tap was reported when its time had come: this one counts as reported.
        if reports.contains(where: { $0.tap.timestamp >= tap.timestamp && $0.tap.timestamp <= $0.moment }) { return }
        device.violate("\(tap.referrer) was lost, \(age / 1_000) seconds old when the app came to the front")
    }
}
