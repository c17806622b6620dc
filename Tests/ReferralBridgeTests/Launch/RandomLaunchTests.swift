import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralAppSupport
@testable import ReferralBridge

/// What `handle` does with any event, in any state, in any order.
struct RandomLaunchTests {
    @Test("any events in any order: nothing traps, each call is answered once, no deadline lies in the past")
    func anyEvents() {
        expectNoProblems(of: randomSeeds(100, optimized: 25_000)) { seed in
            var run = RandomLaunch(seed: seed)
            run.happen(count: 100)
            run.end()
            return run.problems
        }
    }

    @Test("each step of a check goes on as the page of the launch says")
    func table() throws {
        var table = StepTable(
            steps: [
                "none", "starting", "readingClip", "tellingOfClip", "savingClip", "removingClip", "counting", "probing",
                "reading", "judging",
            ],
            restless: ["judging"]
        )
        for seed in randomSeeds(100, optimized: 25_000) {
            var run = RandomLaunch(seed: seed)
            run.happen(count: 100, timePasses: false) { before, event, after in
                // A check may end and the next one begin at once.
                table.record(Self.step(of: before), event, Self.step(of: after))
            }
        }
        try table.expect(on: "Launch.md")
    }

    private static func step(of launch: Launch) -> String { launch.check.map { name(ofCase: $0.step) } ?? "none" }
}

/// A launch to which anything happens.
struct RandomLaunch {
    private var random: SeededGenerator
    private(set) var launch: Launch
    private(set) var moment: DeviceMoment
    private(set) var problems: [String] = []

    /// The questions that were asked and may be answered, also twice.
    private var asked: [Launch.Effect] = []
    private var numbers: Set<Int> = []
    private var lastCall = 0
    private var unanswered: Set<Int> = []

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
        launch = Self.launch()
        moment = Self.moment()
    }

    static func launch() -> Launch {
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [SimulatedDevice.landingPage]
        return Launch(scanner: scanner, activity: .active, at: moment())
    }

    static func moment() -> DeviceMoment {
        DeviceMoment(now: Fixture.now, steady: Timestamp(milliseconds: 0), startOfDevice: Fixture.before(1_000_000))
    }

    /// Lets events happen. If time passes, deadlines come with any of them, and otherwise only with their own.
    mutating func happen(
        count: Int,
        timePasses: Bool = true,
        _ visit: (Launch, Launch.Event, Launch) -> Void = { _, _, _ in }
    ) {
        for _ in 0..<count where problems.isEmpty {
            let wait: Double = [0, 0, 1, 40, 1_999, 2_000, 3_000, 70_000].randomElement(using: &random) ?? 0
            if timePasses { moment.steady = moment.steady.advanced(by: wait / 1_000) }
            moment.now = moment.now.advanced(by: wait / 1_000)
            if chance(40) { moment.now = moment.now.advanced(by: chance(2) ? 90_000 : -90_000) }
            if chance(30) { change() }
            let event = makeEvent()
            let before = launch
            handle(event)
            visit(before, event, launch)
            if chance(20) { handle(event) }
        }
    }

    /// Answers what is answered at once, and lets every deadline come.
    mutating func end() {
        for question in asked {
            switch question {
            case .tell(let number, _): handle(.told(number, isHeard: true))
            case .save(let number, _): handle(.saved(number, nil))
            default: break
            }
        }
        var wakes = 0
        while let wake = launch.nextWake, wakes < 100, problems.isEmpty {
            wakes += 1
            moment.steady = max(moment.steady, wake)
            handle(.woke(wake))
        }
        if launch.nextWake != nil { problems.append("the deadlines never end") }
        if !unanswered.isEmpty { problems.append("calls without an answer: \(unanswered.sorted())") }
    }

    private mutating func handle(_ event: Launch.Event) {
        let before = launch.record
        for effect in launch.handle(event, at: moment) {
            if let number = effect.number, !numbers.insert(number).inserted {
                problems.append("\(number) was asked twice")
            }
            if effect.number != nil { asked.append(effect) }
            guard let call = effect.answeredCall else { continue }
            if unanswered.remove(call) == nil { problems.append("call \(call) was answered twice after \(event)") }
        }
        if let wake = launch.nextWake, wake < moment.steady { problems.append("a deadline in the past after \(event)") }
        guard launch.record != before else { return }
        do {
            let written = try LedgerRecord(JSONEncoder().encode(launch.record))
            if written != launch.record { problems.append("the record isn't the same when it was written and read") }
        } catch {
            problems.append("\(error)")
        }
    }

    private mutating func change() {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: launch.settings.holdsArrivals.toggle()
        case 1: launch.settings.hasClip.toggle()
        case 2: launch.settings.policy = chance(2) ? .everyone : .firstLaunch
        case 3: launch.settings.checksAtActivation.toggle()
        default: launch.settings.timeLimit = [3, 0, -1, .nan, .infinity, 600].randomElement(using: &random) ?? 3
        }
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}

// MARK: - Random events

private extension RandomLaunch {
    mutating func makeEvent() -> Launch.Event {
        if !chance(3), let question = chance(8) ? asked.randomElement(using: &random) : asked.last,
            let answer = answer(to: question)
        {
            return answer
        }
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: return .checkRequested(call: call(), activity: chance(5) ? nil : state())
        case 2: return .pasted(call: call(), strings())
        case 3: return .opened(call: call(), address: strings().first ?? "")
        case 4: return .released(call: call())
        case 5, 6, 7, 8: return .appBecame(state())
        case 9: return .ledger(reading())
        default: return .woke(launch.nextWake ?? moment.steady)
        }
    }

    private mutating func answer(to question: Launch.Effect) -> Launch.Event? {
        switch question {
        case .activity(let number): .activity(number, chance(6) ? state() : .active)
        case .clip(let number): .clip(number, clip())
        case .removeClip(let number): .clipRemoved(number)
        case .changeCount(let number): .changeCount(number, chance(10) ? nil : Int.random(in: 0..<4, using: &random))
        case .probe(let number): .probed(number, failing() ?? .success(!chance(3)))
        case .contents(let number): .contents(number, contents())
        case .tell(let number, _): .told(number, isHeard: !chance(4))
        case .save(let number, _): .saved(number, chance(4) ? failure : nil)
        default: nil
        }
    }

    private var failure: AppStoreBridge.Failure { AppStoreBridge.Failure(CancellationError()) }

    private mutating func failing<Value>() -> Result<Value, AppStoreBridge.Failure>? {
        chance(6) ? .failure(failure) : nil
    }

    private mutating func call() -> Int {
        lastCall += 1
        unanswered.insert(lastCall)
        return lastCall
    }

    private mutating func state() -> AppActivityState {
        [.active, .active, .inactive, .background].randomElement(using: &random) ?? .active
    }

    private mutating func strings() -> [String] {
        let tap =
            Int64(moment.now.milliseconds)
            + ([-1_000, 0, 20_000, 100_000, -400_000].randomElement(using: &random) ?? 0)
        let link = Fixture.link(payload: #"{"timestamp":\#(tap),"referrer":"anna"}"#)
        return [[link], [link, "lunch?"], ["lunch?"], [SimulatedDevice.landingAddress("bert")], []]
            .randomElement(using: &random) ?? []
    }

    private mutating func clip() -> Result<[UInt8]?, AppStoreBridge.Failure> {
        let opened = Int64(moment.now.milliseconds) - (chance(3) ? 3_000_000_000 : 1_000)
        let address = SimulatedDevice.landingAddress("carl")
        let file = #"{"format":1,"address":"\#(address)","opened":\#(opened)}"#
        let contents: [[UInt8]?] = [nil, [], Array(file.utf8), Array(file.utf8)]
        return failing() ?? .success(contents.randomElement(using: &random) ?? nil)
    }

    private mutating func contents() -> Result<PasteboardContents, AppStoreBridge.Failure> {
        let changeCount = chance(10) ? nil : Int.random(in: 0..<4, using: &random)
        return failing() ?? .success(PasteboardContents(strings: strings(), changeCount: changeCount))
    }

    private mutating func reading() -> LaunchLedger.Reading {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .locked
        case 1: .failed(failure)
        case 2: .record(LedgerRecord())
        default: .record(launch.record)
        }
    }
}

extension Launch.Effect {
    /// The number of a question.
    var number: Int? {
        switch self {
        case .activity(let number), .clip(let number), .removeClip(let number), .changeCount(let number),
            .probe(let number), .contents(let number),
            .tell(let number, _), .save(let number, _):
            number
        case .observeActivity, .report, .reportLedgerFailure, .resume: nil
        }
    }

    /// The call that is answered.
    var answeredCall: Int? {
        switch self {
        case .resume(let call, _): call
        default: nil
        }
    }
}
