import Foundation
import SimulatedRuntime

@testable import ReferralBasics
@testable import ReferralBridge

/// A history, and how the phone behaves in it.
struct LaunchHistory: Hashable {
    var history: History
    /// The number of the effect at which the process ends; `nil` if it ends only between two events.
    var lastEffect: Int?
    /// Whether every third answer comes twice.
    var answersTwice: Bool
    /// Whether nothing of the app runs in the background.
    var suspends: Bool

    init(seed: UInt64) {
        history = History(seed: seed)
        var random = SeededGenerator(state: ~seed)
        lastEffect = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...40, using: &random) : nil
        answersTwice = Bool.random(using: &random)
        suspends = Bool.random(using: &random)
    }
}

extension LaunchHistory: CustomStringConvertible {
    /// A shorter history on which the same holds.
    @MainActor
    func shrunk(_ fails: @MainActor (LaunchHistory) -> Bool) -> LaunchHistory {
        var shortest = self
        shortest.history = history.shrunk { candidate in
            var direct = self
            direct.history = candidate
            return fails(direct)
        }
        return shortest
    }

    var description: String {
        let effect = lastEffect.map { "ends at effect \($0), " } ?? ""
        return "\(effect)answersTwice: \(answersTwice), suspends: \(suspends)\n\(history)"
    }
}

/// A phone around ``Launch`` alone. Its events are handled, and its effects performed, in one order, at once or at a moment.
///
/// What a promise is owed is worked out from the phone alone: nothing here looks into the state of a launch.
struct LaunchWorld {
    typealias Tap = SimulatedDevice.Tap

    let settings: LaunchHistory
    var history: History { settings.history }

    // Time, in milliseconds.
    var (elapsed, started, clockOffset) = (0.0, 0.0, 0.0)
    var now: Timestamp { Timestamp(milliseconds: 1_795_224_750_690 + elapsed + clockOffset) }

    // What lasts.
    var contents = [Content(strings: [])]
    var changeCount = 0
    var ledger = LedgerRecord()
    var clip: SimulatedDevice.ClipFile?
    var (isLocked, isDiskFull, wasLaunched) = (false, false, false)
    /// The arrival that is owed to the app when it is ready.
    var held: Tap?
    var reports: [Report] = []
    /// When the newest referral of an App Clip was made.
    var clipReferral: Timestamp?
    /// Whether something may have ended the first launch, and whether something has.
    var (mayFirstLaunchBeOver, isFirstLaunchOver) = (false, false)
    /// How often the clock was set, the device started and a change forgotten: afterwards a content may be asked about again.
    var epoch = 0

    // How the phone behaves.
    var (latency, probeLatency, clipLatency) = (0.0, 0.0, 0.0)
    var person = SimulatedDevice.Person()
    var failingAccess: SimulatedDevice.Access?
    var (hasListener, isReady) = (true, true)

    /// The app's process, or the last one.
    var app = App(number: 0, launch: Self.launch(.background), state: .background)
    var isRunning = false
    var effects: [Launch.Effect] = []
    var performed = 0
    /// The answers on their way; those that never come have no moment.
    var pending: [(due: Double, step: Step)] = []
    var (tapCount, otherCount) = (0, 0)

    /// What went wrong, in words.
    private(set) var violations: [String] = []

    init(_ settings: LaunchHistory) { self.settings = settings }

    mutating func violate(_ text: String) { violations.append(text) }

    static let scanner = {
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [SimulatedDevice.landingPage]
        return scanner
    }()

    static func launch(_ state: AppActivityState, at moment: DeviceMoment? = nil) -> Launch {
        let moment = moment ?? DeviceMoment(now: Fixture.now, steady: Timestamp(milliseconds: 0))
        return Launch(scanner: scanner, activity: state, at: moment)
    }
}

// MARK: - Its parts

extension LaunchWorld {
    /// One content of the clipboard.
    struct Content {
        var strings: [String]
        var tap: Tap?
        var isLink = false
        var types = SimulatedDevice.Clipboard.address
        var isAllowed = false
        /// Whether nothing is owed: the person declined, or it was read while its tap was too far ahead to be waited for.
        var isHopeless = false
        var emptyReads = 0
        /// How often the app heard an answer of the person in an epoch.
        var answered = (epoch: 0, count: 0)
        /// When the app got the strings.
        var read: (epoch: Int, process: Int)?
    }

    struct Report {
        let tap: Tap
        let road: Road
        let moment: Timestamp
        /// Whether the process ended before it was in the ledger.
        var isForgotten = false
    }

    struct App {
        let number: Int
        var launch: Launch
        var state: AppActivityState
        var visit = Visit()
        var (activations, departures) = (0, 0)
        var (isObserved, hasChecked, hasUnsaved) = (false, false, false)
        var (isHolding, isReleasing) = (false, false)
        var (isReading, mayBeAsking, isQuestionOpen, hasLeftQuestion) = (false, false, false, false)
        var (probeSaidYes, hasClipReferral, hasClipFailed) = (false, false, false)
        /// A read whose question waits until the app is in front.
        var waiting: Read?
        var lastQuestion: (content: Int, activation: Int)?
        /// The calls without an answer, and when they began.
        var calls: [(call: Int, began: Double)] = []
        var lastCall = 0
        var lastAnswer: (call: Int, outcome: AppStoreBridge.Outcome)?

        init(number: Int, launch: Launch, state: AppActivityState) {
            (self.number, self.launch, self.state) = (number, launch, state)
        }
    }

    /// From one activation of the app to the next, but for the return from a question.
    struct Visit {
        var number = 0
        var content = 0
        var moment = Timestamp(milliseconds: 0)
        /// Whether nothing is owed for it, since something failed, or the person has changed something.
        var isVoid = true
        var isReplaced = false
        var isDiskFull = false
        var isFirstLaunchOver = false
        var probes = (asked: 0, answered: 0)
    }

    /// A read under way.
    struct Read {
        let number: Int
        let content: Int
        let changeCount: Int
        let activation: Int
        let departures: Int
    }

    /// What happens at a moment, unless the process ends before.
    enum Step {
        case activity(Int)
        case clip(Int)
        case clipRemoved(Int)
        case changeCount(Int)
        case probe(Int, content: Int, visit: Int, activation: Int)
        case contents(Read)
        case question(Read)
        case strings(Read, areAllowed: Bool)
        case reactivation
    }
}

// MARK: - Time

extension LaunchWorld {
    var isSuspended: Bool { settings.suspends && app.state == .background }

    var moment: DeviceMoment {
        DeviceMoment(
            now: now,
            steady: Timestamp(milliseconds: elapsed - started),
            startOfDevice: now.advanced(by: (started - elapsed) / 1_000)
        )
    }

    mutating func wait(_ milliseconds: Double, for step: Step) {
        if isRunning { pending.append((elapsed + milliseconds, step)) }
    }

    /// Lets time pass, from one answer or deadline to the next.
    mutating func advance(by milliseconds: Double = 0) {
        let end = elapsed + milliseconds
        var steps = 0
        while isRunning, !isSuspended {
            let wake = app.launch.nextWake
            let deadline = wake.map { $0.milliseconds + started } ?? .infinity
            let next = pending.indices.min { pending[$0].due < pending[$1].due }
            if let next, pending[next].due <= min(end, deadline) {
                elapsed = max(elapsed, pending[next].due)
                take(pending.remove(at: next).step)
            } else if let wake, deadline <= end {
                elapsed = max(elapsed, deadline)
                send(.woke(wake))
            } else {
                break
            }
            steps += 1
            if steps > 1_000 { violate("the answers never end") }
            if !violations.isEmpty { return }
        }
        elapsed = end
        if isRunning, !isSuspended, app.calls.contains(where: { elapsed > $0.began + 3_000 }) {
            violate("a call took longer than the time limit")
        }
    }
}

// MARK: - The core

extension LaunchWorld {
    mutating func send(_ event: Launch.Event) {
        guard isRunning else { return }
        if app.launch.needsLedger(for: event) {
            let reading: LaunchLedger.Reading = isLocked ? .locked : .record(ledger)
            perform(app.launch.handle(.ledger(reading), at: moment))
        }
        guard isRunning else { return }
        perform(app.launch.handle(event, at: moment))
    }

    /// Sends an answer, perhaps twice.
    private mutating func answer(_ number: Int, _ event: Launch.Event) {
        send(event)
        if settings.answersTwice, number.isMultiple(of: 3) { send(event) }
    }

    private mutating func perform(_ new: [Launch.Effect]) {
        effects += new
        while isRunning, !effects.isEmpty {
            perform(effects.removeFirst())
            performed += 1
            if performed == settings.lastEffect { endProcess(amidEffects: true) }
        }
    }

    private mutating func perform(_ effect: Launch.Effect) {
        switch effect {
        case .observeActivity: app.isObserved = true
        case .activity(let number): wait(0, for: .activity(number))
        case .clip(let number): wait(clipLatency, for: .clip(number))
        case .removeClip(let number): wait(clipLatency, for: .clipRemoved(number))
        case .changeCount(let number):
            judgeAccess()
            judgeLook()
            wait(latency, for: .changeCount(number))
        case .probe(let number, _):
            judgeAccess()
            app.visit.probes.asked += 1
            let (content, visit) = (contents.count - 1, app.visit.number)
            let step = Step.probe(number, content: content, visit: visit, activation: app.activations)
            wait(latency + probeLatency, for: step)
        case .contents(let number):
            judgeAccess()
            judgeRead()
            app.isReading = true
            let read = Read(
                number: number,
                content: contents.count - 1,
                changeCount: changeCount,
                activation: app.activations,
                departures: app.departures
            )
            wait(latency, for: .contents(read))
        case .tell(let number, let arrival):
            if hasListener { receive(arrival) }
            answer(number, .told(number, isHeard: hasListener))
        case .save(let number, let record):
            app.hasUnsaved = isLocked || isDiskFull
            if !app.hasUnsaved { ledger = record }
            let failure = app.hasUnsaved ? AppStoreBridge.Failure(CancellationError()) : nil
            answer(number, .saved(number, failure))
        case .report(let outcome, _): note(outcome)
        case .reportLedgerFailure, .resumeMayAsk: break
        case .resume(let call, let outcome):
            guard let index = app.calls.firstIndex(where: { $0.call == call }) else {
                return violate("call \(call) was answered twice")
            }
            app.calls.remove(at: index)
            app.lastAnswer = (call, outcome)
        }
    }

    /// Calls the launch as an app does. Its number is the answer's.
    mutating func call(_ event: (Int) -> Launch.Event) -> Int {
        app.lastCall += 1
        let call = app.lastCall
        app.calls.append((call, elapsed))
        send(event(call))
        return call
    }

    /// The answer of a call that doesn't wait; `nil` if the process has ended.
    mutating func answer(_ event: (Int) -> Launch.Event) -> AppStoreBridge.Outcome? {
        let call = call(event)
        guard isRunning else { return nil }
        guard let answer = app.lastAnswer, answer.call == call else {
            violate("call \(call) wasn't answered at once")
            return nil
        }
        return answer.outcome
    }
}

// MARK: - The pasteboard and the App Clip's file

extension LaunchWorld {
    private mutating func take(_ step: Step) {
        switch step {
        case .activity(let number): answer(number, .activity(number, app.state))
        case .clip(let number): answer(number, .clip(number, readClip()))
        case .clipRemoved(let number):
            judgeRemoval()
            clip = nil
            answer(number, .clipRemoved(number))
        case .changeCount(let number): answer(number, .changeCount(number, changeCount))
        case .probe(let number, let content, let visit, let activation):
            let isSameVisit = app.visit.number == visit
            if isSameVisit { app.visit.probes.answered += 1 }
            let hasLink = see(content, activation)
            answer(number, .probed(number, hasLink))
            guard isSameVisit, isRunning, app.state == .active, activation == app.activations else { return }
            if hasLink == .success(false) { isFirstLaunchOver = true }
        case .contents(let read):
            if app.state == .background { return end(read, []) }
            if contents[read.content].isAllowed { return take(.strings(read, areAllowed: true)) }
            judgeQuestion(read)
            (app.isQuestionOpen, app.hasLeftQuestion) = (true, false)
            move(to: .inactive)
            wait(person.delay, for: .question(read))
        case .question(let read): answerQuestion(read)
        case .strings(let read, let areAllowed): give(read, areAllowed: areAllowed)
        case .reactivation:
            if app.state == .inactive { move(to: .active) }
            app.isQuestionOpen = false
        }
    }

    func failed<Value>() -> Result<Value, AppStoreBridge.Failure> {
        .failure(AppStoreBridge.Failure(CancellationError()))
    }

    mutating func readClip() -> Result<[UInt8]?, AppStoreBridge.Failure> {
        if takeFailure(.clip) {
            app.hasClipFailed = true
            return failed()
        }
        guard let clip else { return .success(nil) }
        mayFirstLaunchBeOver = true
        if owedClipTap != nil { app.hasClipReferral = true }
        return .success(clip.bytes)
    }

    /// What a silent look sees. In the background, a pasteboard looks empty.
    mutating func see(_ content: Int, _ activation: Int) -> Result<Bool, AppStoreBridge.Failure> {
        if takeFailure(.probe) { return failed() }
        let isLink = contents[content].isLink && app.state != .background
        let types = contents[contents.count - 1].types
        let isAccepted = isLink && (history.probe == .anyAddress || types == SimulatedDevice.Clipboard.page)
        // A look that was given up says nothing.
        app.probeSaidYes = isAccepted || (activation != app.activations && app.probeSaidYes)
        if !isAccepted { mayFirstLaunchBeOver = true }
        return .success(isAccepted)
    }

    /// Whether nobody waits for an answer any longer: the app became active since, so the question was asked again.
    func isGivenUp(_ step: Step) -> Bool {
        if case .probe(_, _, _, let activation) = step { activation != app.activations } else { false }
    }

    /// Whether an access fails, which it does once.
    mutating func takeFailure(_ access: SimulatedDevice.Access) -> Bool {
        guard failingAccess == access else { return false }
        (failingAccess, app.visit.isVoid) = (nil, true)
        return true
    }

    /// The person answers the system's question, once the app is in front.
    mutating func answerQuestion(_ read: Read) {
        if app.state == .background {
            guard person.dismissesByLeaving else { return app.waiting = read }
            app.isQuestionOpen = false
            return end(read, [])
        }
        if app.departures == read.departures {
            let answered = contents[read.content].answered
            contents[read.content].answered = (epoch, answered.epoch == epoch ? answered.count + 1 : 1)
            app.lastQuestion = (read.content, read.activation)
        }
        let isAllowed = person.answer == .allow
        contents[read.content].isAllowed = isAllowed
        if !isAllowed { contents[read.content].isHopeless = true }
        if person.isActiveFirst {
            if app.state == .inactive { move(to: .active) }
            app.isQuestionOpen = false
            wait(1, for: .strings(read, areAllowed: isAllowed))
        } else {
            wait(1, for: .reactivation)
            give(read, areAllowed: isAllowed)
        }
    }

    mutating func give(_ read: Read, areAllowed: Bool) {
        let (fails, isEmpty) = (areAllowed && takeFailure(.read), areAllowed && takeFailure(.emptyRead))
        if fails || isEmpty { contents[read.content].answered.count = 0 }
        if fails {
            app.lastQuestion = nil
            app.isReading = false
            return answer(read.number, .contents(read.number, failed()))
        }
        if isEmpty { contents[read.content].emptyReads += 1 }
        guard areAllowed, !isEmpty else { return end(read, []) }
        judgeStrings(of: read)
        end(read, contents[read.content].strings)
    }

    mutating func end(_ read: Read, _ strings: [String]) {
        app.isReading = false
        let contents = PasteboardContents(strings: strings, changeCount: read.changeCount)
        answer(read.number, .contents(read.number, .success(contents)))
    }
}
