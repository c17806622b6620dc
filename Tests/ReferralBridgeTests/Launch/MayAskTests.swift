import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBasics
@testable import ReferralBridge

/// What `mayAsk` says before a check, and that it changes nothing.
@MainActor
struct MayAskTests {
    let ledger = InMemoryLedger()

    private func bridge(
        _ pasteboard: any Pasteboard,
        _ policy: AttributionPolicy = .everyone,
        ledger: (any ReferralLedger)? = nil
    ) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: pasteboard,
            ledger: ledger ?? self.ledger,
            clock: Fixture.clock
        )
        bridge.attributionPolicy = policy
        bridge.onArrival = { _ in }
        return bridge
    }

    @Test("a content with a link may lead to the question, and is neither read nor remembered")
    func link() async {
        let pasteboard = CountingPasteboard([Fixture.link()])
        let bridge = bridge(pasteboard, .firstLaunch)
        for _ in 0..<3 { #expect(await bridge.mayAsk()) }
        #expect(await pasteboard.reads == 0)
        #expect(Set(await pasteboard.accesses) == ["changeCount", "mayHoldLink"])
        #expect(ledger.load() == nil)
        #expect(await bridge.checkForReferralLinks().arrival != nil, "the check reads as if nothing had happened")
        await pasteboard.put([Fixture.link(age: 1)])
        #expect(await !bridge.mayAsk(), "the first launch is over")
    }

    @Test("after a question that was declined, it says whether there is a second one")
    func declined() async {
        let pasteboard = CountingPasteboard([])
        let bridge = bridge(pasteboard)
        for isAsked in [true, true, false] {
            #expect(await bridge.mayAsk() == isAsked)
            let reads = await pasteboard.reads
            await bridge.checkForReferralLinks()
            #expect(await (pasteboard.reads > reads) == isAsked)
        }
        await pasteboard.put([Fixture.link()])
        #expect(await bridge.mayAsk(), "a new content may be read")
    }

    @Test("without a check before, an activation after it doesn't begin one")
    func activation() {
        var launch = RandomLaunch.launch()
        let moment = RandomLaunch.moment()
        _ = launch.handle(.mayAskRequested(call: 1, activity: .background), at: moment)
        #expect(launch.handle(.appBecame(.active), at: moment) == [.activity(1)])
        _ = launch.handle(.activity(1, .active), at: moment)
        _ = launch.handle(.changeCount(2, 1), at: moment)
        #expect(launch.handle(.probed(3, .success(true)), at: moment) == [.resumeMayAsk(call: 1, true)])
        _ = launch.handle(.appBecame(.inactive), at: moment)
        #expect(launch.handle(.appBecame(.active), at: moment).isEmpty)
    }

    @Test("a silent look without an answer is asked again at the next activation, and what it says later doesn't count")
    func lost() {
        var launch = probingLaunch()
        let moment = RandomLaunch.moment()
        _ = launch.handle(.appBecame(.background), at: moment)
        #expect(launch.handle(.probed(3, .success(false)), at: moment).isEmpty, "in the background, nothing is seen")
        #expect(launch.handle(.appBecame(.active), at: moment) == [.activity(4)])
        #expect(launch.handle(.probed(3, .success(false)), at: moment).isEmpty)
        #expect(launch.handle(.activity(4, .active), at: moment) == [.changeCount(5)])
    }

    @Test("a call waits no longer than the time limit, and a check that was due during the look ahead begins then")
    func slow() {
        var launch = probingLaunch()
        var moment = RandomLaunch.moment()
        moment.steady = moment.steady.advanced(by: 1)
        #expect(launch.handle(.checkRequested(call: 2, activity: .active), at: moment).isEmpty, "no check meanwhile")
        moment.steady = moment.steady.advanced(by: 2)
        #expect(launch.nextWake == moment.steady)
        #expect(launch.handle(.woke(moment.steady), at: moment) == [.resumeMayAsk(call: 1, false), .activity(4)])
        #expect(launch.handle(.probed(3, .success(true)), at: moment).isEmpty)
        #expect(launch.check?.step == .starting(4))
    }

    /// A launch with a look ahead for the call 1, which has asked the question 3: a probe.
    private func probingLaunch() -> Launch {
        var launch = RandomLaunch.launch()
        let moment = RandomLaunch.moment()
        for event in [
            Launch.Event.mayAskRequested(call: 1, activity: .active), .activity(1, .active), .changeCount(2, 1),
        ] {
            _ = launch.handle(event, at: moment)
        }
        return launch
    }

    @Test("whatever has happened before, a check reads only if it was said just before, and as it would have without")
    func agreement() {
        var (said, reads) = (0, 0)
        expectNoProblems(of: randomSeeds(300, optimized: 20_000)) { seed in
            var run = RandomLaunch(seed: seed)
            run.happen(count: Int(seed % 60))
            var untouched = run.launch
            guard untouched.check == nil, untouched.lookAhead == nil, untouched.judging == nil else {
                return run.problems
            }
            untouched.settings.checksAtActivation = false
            untouched.settings.timeLimit = 600
            var launch = untouched
            let record = launch.record
            let world = AnsweringWorld(seed: seed)
            let question: [Launch.Event] = [.mayAskRequested(call: 1_000, activity: .active), .appBecame(.active)]
            var answer = world.perform(question, &launch, run.moment)
            guard let mayAsk = answer.mayAsk else { return ["no answer"] }
            // What was due before begins at once.
            if answer.reads == 0, launch.record != record, launch.due == nil, answer.checks == 0 {
                return ["it remembers something"]
            }
            let check: [Launch.Event] = [.appBecame(.active), .checkRequested(call: 1_001, activity: .active)]
            answer.reads += world.perform(check, &launch, run.moment).reads
            let alone = world.perform(check, &untouched, run.moment)
            said += mayAsk ? 1 : 0
            reads += min(answer.reads, 1)
            if answer.reads > 0, !mayAsk { return ["a read that wasn't said"] }
            if (answer.reads > 0) != (alone.reads > 0) { return ["it changes what a check does"] }
            return []
        }
        #expect(reads > 10 && said >= reads, "\(said) \(reads)")
    }
}

/// Answers each question of a launch at once and in the same way, and counts the reads, which it doesn't answer.
private struct AnsweringWorld {
    let clip: Result<[UInt8]?, AppStoreBridge.Failure>
    let changeCount: Int?
    let hasLink: Result<Bool, AppStoreBridge.Failure>
    let isLocked: Bool

    init(seed: UInt64) {
        var random = SeededGenerator(state: seed &+ 1)
        let failure = AppStoreBridge.Failure(CancellationError())
        let opened = Int64(Fixture.now.milliseconds) - 1_000
        let file = #"{"format":1,"address":"\#(SimulatedDevice.landingAddress("dora"))","opened":\#(opened)}"#
        clip =
            [.success(nil), .success(nil), .success(Array(file.utf8)), .success([]), .failure(failure)]
            .randomElement(using: &random) ?? .success(nil)
        changeCount = [nil, 0, 1, 2, 3].randomElement(using: &random) ?? nil
        hasLink =
            [.success(true), .success(true), .success(false), .failure(failure)]
            .randomElement(using: &random) ?? .success(true)
        isLocked = Int.random(in: 0..<10, using: &random) == 0
    }

    func perform(_ events: [Launch.Event], _ launch: inout Launch, _ moment: DeviceMoment) -> (
        mayAsk: Bool?, reads: Int, checks: Int
    ) {
        var (mayAsk, reads, checks): (Bool?, Int, Int) = (nil, 0, 0)
        var queue = events
        while !queue.isEmpty {
            let event = queue.removeFirst()
            if launch.needsLedger(for: event) {
                _ = launch.handle(.ledger(isLocked ? .locked : .record(launch.record)), at: moment)
            }
            for effect in launch.handle(event, at: moment) {
                switch effect {
                case .activity(let number): queue.append(.activity(number, .active))
                case .clip(let number): queue.append(.clip(number, clip))
                case .removeClip(let number): queue.append(.clipRemoved(number))
                case .changeCount(let number): queue.append(.changeCount(number, changeCount))
                case .probe(let number, _): queue.append(.probed(number, hasLink))
                case .tell(let number, _): queue.append(.told(number, isHeard: true))
                case .save(let number, _): queue.append(.saved(number, nil))
                case .contents: reads += 1
                case .resumeMayAsk(1_000, let answer): mayAsk = answer
                case .report: checks += 1
                case .observeActivity, .reportLedgerFailure, .resume, .resumeMayAsk: break
                }
            }
        }
        return (mayAsk, reads, checks)
    }
}

private struct LockedLedger: ReferralLedger {
    func load() throws -> Data? { throw ReferralLedgerError.protectedDataUnavailable }
    func save(_ data: Data) throws { throw ReferralLedgerError.protectedDataUnavailable }
}
