import Foundation

@testable import ReferralBridge

/// The app's process on a simulated device, from launch to its end: the edges of its bridge, with all their nastiness.
@MainActor
final class SimulatedProcess {
    let device: SimulatedDevice
    private(set) var bridge: AppStoreBridge?
    private(set) var isAlive = true
    private(set) var state: AppActivityState
    private var observer: (@MainActor (AppActivityState) -> Void)?

    /// How often the app came to the front, but for the returns from its own question.
    private(set) var activations = 0
    private var departures = 0
    private(set) var isQuestionOpen = false
    private(set) var hasLeftQuestion = false
    /// Whether the app lost the activity during a read, perhaps to the question: only the system knows.
    private var mayBeAsking = false
    private var isReading = false
    private var waitingForFront: CheckedContinuation<Void, Never>?

    /// What each access in the present visit came to.
    private(set) var visit = Visit()
    private var probeSaidYes = false
    private var lastQuestion: (clipboard: SimulatedDevice.Clipboard, activation: Int)?
    /// The accesses under way except for silent probes, and the activation of each probe under way.
    private var otherAccesses = 0
    private var probes: [Int: Int] = [:]
    private var probeCount = 0
    private var clockAtCheck = 0.0
    private var isPasting = false
    private(set) var hasChecked = false

    // For SimulatedRoads.swift
    var isHolding = false {
        // What arrives while the app is ready isn't held later in the same visit.
        didSet { if !isHolding { visit.wasHolding = false } }
    }
    var clipAccesses = 0
    /// The referrers that the app was told in this process.
    private(set) var told: [String] = []
    /// Whether the App Clip's referral was read, and whether it couldn't be.
    var hasClipReferral = false
    /// What was added to the clock when the App Clip's file was read.
    var clipReadOffset: Double?
    var hasClipFailed = false
    /// Whether the last change isn't in the ledger.
    private(set) var hasUnsaved = false
    private var hadFullDisk = false

    /// How each check ended.
    private(set) var outcomes: [AppStoreBridge.Outcome] = []
    private(set) var reads = 0
    /// What was read last. A read of it ends the first launch for any other clipboard.
    private var lastContents: SimulatedDevice.Clipboard?
    private(set) var questions = 0

    struct Visit {
        var clipboard: SimulatedDevice.Clipboard?
        var moment = Timestamp(milliseconds: 0)
        var wasReplaced = false
        var failed = false
        var isFirstLaunchOver = false
        var hadListener = true
        var wasHolding = false
        /// What was added to the clock then, if the app only came back while it read: a read under way is judged by the moment
        /// of its own check, and by the present one.
        var clockOffset: Double?
        /// Tells the visits of a process apart.
        var number = 0
        /// The silent probes that began in this visit, and those of them that answered in time or late.
        var probes = (asked: 0, answered: 0)
    }

    init(on device: SimulatedDevice, state: AppActivityState) {
        self.device = device
        self.state = state
    }

    /// Makes the bridge, as the app does when it finishes launching.
    func makeBridge(_ policy: SimulatedPolicy) {
        let device = device
        let clock = DeviceClock(
            now: { MainActor.assumeIsolated { device.now } },
            uptime: { MainActor.assumeIsolated { device.uptime } },
            sleep: { [weak self] seconds in await self?.sleep(seconds * 1_000) }
        )
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [SimulatedDevice.landingPage]
        let bridge = AppStoreBridge(
            scanner: scanner,
            pasteboard: self,
            ledger: self,
            activity: self,
            clock: clock
        )
        switch policy {
        case .everyone: bridge.attributionPolicy = .everyone
        case .firstLaunch: break
        }
        ArrivalCounts(appID: Fixture.app, storage: SimulatedCounts(device: device), clock: clock).observe(bridge)
        bridge.clipStorage = self
        bridge.onOutcome = { [weak self] outcome in
            self?.outcomes.append(outcome)
            self?.note(outcome)
        }
        self.bridge = bridge
    }

    func setListener(_ isThere: Bool) {
        guard isThere else {
            visit.hadListener = false
            bridge?.onArrival = nil
            return
        }
        bridge?.onArrival = { [weak self] arrival in self?.receive(arrival) }
    }

    /// Calls the bridge as an app does, and checks its time limit.
    func check() {
        guard let bridge else { return }
        // Within one activation the same clipboard is looked at once, and a call during a check waits for that check.
        if state == .active, accessesUnderWay == 0, !hasChecked || visit.clipboard !== device.clipboard {
            beginVisit()
        }
        hasChecked = true
        let late = device.after(bridge.timeLimit * 1_000 + 1, for: self) { [weak self] in
            guard let self, isAlive else { return }
            device.violate("a call took longer than the time limit")
        }
        Task {
            await bridge.checkForReferralLinks()
            device.cancel(late)
        }
    }

    func paste() {
        isPasting = true
        if let outcome = bridge?.handlePaste(device.clipboard.strings) { note(outcome) }
        compareHeld()
        isPasting = false
    }

    func end() {
        compareHeld()
        isAlive = false
        observer = nil
        bridge?.onArrival = nil
        bridge?.onOutcome = nil
        bridge = nil
        waitingForFront?.resume()
        waitingForFront = nil
    }

    private func receive(_ arrival: Arrival) {
        guard isAlive else { return }
        let tap = SimulatedDevice.Tap(referrer: arrival.referrer, timestamp: arrival.timestamp)
        told.append(tap.referrer)
        checkCount(of: tap)
        if isHolding { device.violate("\(tap.referrer) was reported before the app is ready") }
        if device.held == tap {
            // Released. It counted as reported when it was held.
            device.held = nil
        } else {
            if arrival.road == .pasteboard, device.clipboard.landing == tap.referrer {
                device.violate("a landing page's address on the pasteboard counted")
            }
            addReport(of: tap, isSaved: false)
        }
        crash(at: .told)
    }

    /// Ends the process as far as anybody outside can see, in the middle of an event.
    private func crash(at moment: SimulatedDevice.CrashMoment) {
        guard device.crashMoment == moment else { return }
        (device.crashMoment, isAlive) = (nil, false)
    }

    func addReport(of tap: SimulatedDevice.Tap, isSaved: Bool) {
        if device.installation.reports.contains(where: { $0.tap == tap && !$0.isForgotten }) {
            device.violate("\(tap.referrer) was reported twice")
        }
        // The bridge judges by the moment of the visit, even if the clock was set since.
        device.installation.reports.append(
            .init(tap: tap, moment: max(device.now, visit.moment), wasPasted: isPasting, isSaved: isSaved)
        )
        if !isPasting, device.clipboard.taps.contains(tap) {
            device.clipboard.lastRead?.clockOffset = device.clockOffset
        }
    }
}

enum SimulatedPolicy: String, CaseIterable { case everyone, firstLaunch }

// MARK: - To the front and back

extension SimulatedProcess: AppActivity {
    func observe(_ change: @escaping @MainActor (AppActivityState) -> Void) { observer = change }

    func move(to newState: AppActivityState) {
        guard isAlive, newState != state else { return }
        let isReturn = mayBeAsking
        if newState == .inactive, state == .active { mayBeAsking = isReading }
        if newState == .background { (departures, mayBeAsking, hasLeftQuestion) = (departures + 1, false, true) }
        state = newState
        if newState == .active {
            if !isReturn { activations += 1 }
            let hasFailed = isReturn && visit.failed
            if !isReturn || visit.clipboard !== device.clipboard { beginVisit() }
            if isReturn { visit.clockOffset = visit.clockOffset ?? device.clockOffset }
            if hasFailed { visit.failed = true }
        }
        observer?(newState)
        if newState == .active, let waiting = waitingForFront {
            waitingForFront = nil
            waiting.resume()
        }
    }

    private func beginVisit() {
        visit = Visit(
            clipboard: device.clipboard,
            moment: device.now,
            failed: device.isLocked,
            // A check under way may end the first launch by what it reads.
            isFirstLaunchOver: device.record.isFirstLaunchOver || hadFullDisk || otherAccesses + probes.count > 0
                || isQuestionOpen || lastContents.map { $0 !== device.clipboard } ?? false,
            hadListener: bridge?.onArrival != nil,
            wasHolding: isHolding,
            number: visit.number + 1
        )
    }

    func noteReplacement() { visit.wasReplaced = true }

    /// Whether nothing more happens in this visit unless somebody does something.
    var isQuiet: Bool { accessesUnderWay == 0 && clipAccesses == 0 && !isQuestionOpen }
}

// MARK: - Its pasteboard

extension SimulatedProcess: Pasteboard {
    var changeCount: Int? {
        get async {
            beginAccess()
            otherAccesses += 1
            defer { otherAccesses -= 1 }
            clockAtCheck = device.clockOffset
            await takeTime()
            return device.changeCount
        }
    }

    func mayHoldLink() async throws -> Bool {
        beginAccess()
        probeCount += 1
        let (id, activation) = (probeCount, activations)
        probes[id] = activation
        let (clipboard, number) = (device.clipboard, visit.number)
        visit.probes.asked += 1
        await takeTime()
        if device.probeLatency > 0 { await sleep(device.probeLatency) }
        probes[id] = nil
        if visit.number == number { visit.probes.answered += 1 }
        if device.failingAccess == .probe {
            device.failingAccess = nil
            visit.failed = true
            throw CancellationError()
        }
        // In the background, a pasteboard looks empty.
        let isLink = clipboard.isLink && state != .background
        probeSaidYes = isLink || (activation != activations && probeSaidYes)
        return isLink
    }

    func contents() async throws -> PasteboardContents {
        beginAccess()
        otherAccesses += 1
        defer { otherAccesses -= 1 }
        reads += 1
        isReading = true
        defer { isReading = false }
        if state != .active { device.violate("a read while the app was not in front") }
        if !probeSaidYes { device.violate("a read without a probe that said yes") }
        if isAlive, hasClipReferral { device.violate("the App Clip brought a referral, and the person is asked") }
        if isAlive, device.owedClipTap != nil, !hasClipFailed {
            device.violate("the person is asked before the App Clip's file is read")
        }
        let (clipboard, count, asked) = (device.clipboard, device.changeCount, device.asked)
        let (departures, activation) = (departures, activations)
        // The return from the question may begin another visit, at another time if the clock was set.
        let moment = visit.moment
        let nothing = PasteboardContents(strings: [], changeCount: count)
        await takeTime()
        guard isAlive, state != .background else { return nothing }

        if !clipboard.isAllowed {
            if clipboard.answered[asked, default: 0] >= 2 { device.violate("asked a third time about one clipboard") }
            if let lastQuestion, lastQuestion.clipboard === clipboard, lastQuestion.activation == activation {
                device.violate("asked twice at one activation")
            }
            let answer = await ask()
            guard isAlive else { return nothing }
            if self.departures == departures {
                clipboard.answered[asked, default: 0] += 1
                lastQuestion = (clipboard, activation)
            }
            guard let answer else { return nothing }
            clipboard.isAllowed = answer == .allow
            clipboard.wasDeclined = answer == .decline
            if answer == .decline { return nothing }
        }
        switch device.failingAccess {
        case .read:
            device.failingAccess = nil
            visit.failed = true
            lastQuestion = nil
            clipboard.answered[asked] = 0
            throw CancellationError()
        case .emptyRead:
            device.failingAccess = nil
            visit.failed = true
            device.installation.emptyReads[ObjectIdentifier(clipboard), default: 0] += 1
            clipboard.answered[asked] = 0
            return nothing
        default:
            noteRead(of: clipboard, since: moment)
            lastContents = clipboard
            clipboard.wasReadTooEarly = clipboard.taps.contains { $0.timestamp > device.now.advanced(by: 30) }
            return PasteboardContents(strings: clipboard.strings, changeCount: count)
        }
    }

    /// A content is read once, and later only if the app ended before it could finish.
    private func noteRead(of clipboard: SimulatedDevice.Clipboard, since moment: Timestamp) {
        if let last = clipboard.lastRead {
            let isKnown =
                last.installation == device.installation.number && last.startOfDevice == device.started
                && last.clockOffset.map { abs($0 - device.clockOffset) < 50_000 } ?? false
            if last.process === self, isKnown { device.violate("one content was read twice in one process") }
            let isFinished = last.isHopeless || device.isReported(clipboard)
            if isKnown, isFinished { device.violate("a finished content was read again") }
        }
        clipboard.lastRead = .init(
            process: self,
            installation: device.installation.number,
            startOfDevice: device.started,
            clockOffset: device.clockOffset,
            isHopeless: clockAtCheck == device.clockOffset
                && clipboard.taps.contains { $0.timestamp > max(device.now, visit.moment, moment).advanced(by: 30) }
        )
    }

    /// The system's question; `nil` if the person left without an answer.
    private func ask() async -> SimulatedDevice.Person.Answer? {
        let person = device.person
        questions += 1
        (isQuestionOpen, hasLeftQuestion) = (true, false)
        move(to: .inactive)
        await sleep(person.delay)
        while isAlive, state == .background {
            if person.dismissesByLeaving {
                isQuestionOpen = false
                return nil
            }
            await withCheckedContinuation { waitingForFront = $0 }
            await sleep(1_000)
        }
        guard isAlive else { return nil }
        let isPending = state == .inactive
        if person.isActiveFirst {
            if isPending { move(to: .active) }
            isQuestionOpen = false
            await sleep(1)
        } else {
            device.after(1, for: self) { [weak self] in
                if isPending, self?.state == .inactive { self?.move(to: .active) }
                self?.isQuestionOpen = false
            }
        }
        return person.answer
    }

    /// The accesses that somebody waits for.
    var accessesUnderWay: Int { otherAccesses + probes.values.count { $0 == activations } }

    /// One access at a time, but for a probe that is asked again.
    private func beginAccess() {
        if accessesUnderWay > 0, isAlive { device.violate("two accesses to the pasteboard at once") }
    }

    /// Each access may take long, or never end.
    private func takeTime() async {
        if device.latency > 0 { await sleep(device.latency) }
    }
}

// MARK: - Its ledger

extension SimulatedProcess: ReferralLedger {
    func load() throws -> Data? {
        if device.isLocked { throw ReferralLedgerError.protectedDataUnavailable }
        return device.ledger
    }

    func save(_ data: Data) throws {
        if device.isLocked { throw ReferralLedgerError.protectedDataUnavailable }
        guard isAlive else { return }
        if device.isDiskFull {
            (hasUnsaved, hadFullDisk) = (true, true)
            throw CocoaError(.fileWriteOutOfSpace)
        }
        hasUnsaved = false
        device.ledger = data
        for index in device.installation.reports.indices { device.installation.reports[index].isSaved = true }
        crash(at: .saved)
    }
}

// MARK: - Its timers

extension SimulatedProcess {
    /// Ends after so much simulated time, with the process, or when the task is cancelled.
    func sleep(_ milliseconds: Double) async {
        guard isAlive, !Task.isCancelled else { return }
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleeper.timer = device.after(milliseconds, for: self) { continuation.resume() }
            }
        } onCancel: {
            MainActor.assumeIsolated { if let timer = sleeper.timer { device.fire(timer) } }
        }
    }

    @MainActor
    private final class Sleeper {
        var timer: Int?
    }
}
