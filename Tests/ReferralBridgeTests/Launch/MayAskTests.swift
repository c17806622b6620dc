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

    private func bridge(_ pasteboard: any Pasteboard, _ policy: AttributionPolicy = .everyone) -> AppStoreBridge {
        let scanner = ReferralScanner(appID: Fixture.app)
        let bridge = AppStoreBridge(scanner: scanner, pasteboard: pasteboard, ledger: ledger, clock: Fixture.clock)
        bridge.attributionPolicy = policy
        bridge.onArrival = { _ in }
        bridge.timeLimit = 600
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
        #expect(await !bridge.mayAsk(), "the first launch is over")
    }

    @Test("it doesn't end the first launch if there is no link")
    func noLink() async {
        let pasteboard = CountingPasteboard([], mayHoldLink: false)
        let bridge = bridge(pasteboard, .firstLaunch)
        #expect(await !bridge.mayAsk())
        #expect(ledger.load() == nil)
        await pasteboard.put([Fixture.link()])
        #expect(await bridge.mayAsk())
    }

    @Test("a probe that fails, or that the settings deny, leads to no question")
    func failing() async {
        let pasteboard = CountingPasteboard([Fixture.link()])
        let bridge = bridge(pasteboard)
        for behaviour in [CountingPasteboard.Behaviour.failingToProbe, .denyingTheProbe] {
            await pasteboard.set(behaviour)
            #expect(await !bridge.mayAsk())
        }
        await pasteboard.set(.answering)
        #expect(await bridge.mayAsk())
    }

    @Test("a content that was read isn't read again, after another launch either, and a new one may be")
    func read() async {
        let pasteboard = CountingPasteboard(["https://example.com"])
        await bridge(pasteboard).checkForReferralLinks()
        #expect(await !bridge(pasteboard).mayAsk())
        await pasteboard.put([Fixture.link()])
        #expect(await bridge(pasteboard).mayAsk())
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
    }

    @Test("a pasteboard in memory and a locked ledger have an answer too")
    func others() async throws {
        #expect(await bridge(InMemoryPasteboard([Fixture.link()])).mayAsk())
        #expect(await !bridge(InMemoryPasteboard([])).mayAsk())
        let locked = AppStoreBridge(
            appID: Fixture.app,
            pasteboard: InMemoryPasteboard([Fixture.link()]),
            ledger: LockedLedger()
        )
        #expect(await !locked.mayAsk())
    }

    @Test("without a check before, an activation after it doesn't begin one")
    func activation() {
        var launch = RandomLaunch.launch()
        let moment = RandomLaunch.moment()
        _ = launch.handle(.mayAskRequested(call: 1, activity: .background), at: moment)
        #expect(launch.handle(.appBecame(.active), at: moment) == [.activity(1)])
        for answer in [
            Launch.Event.activity(1, .active), .changeCount(2, 1), .probed(3, .success(.link)), .appBecame(.inactive),
        ] {
            #expect(!launch.handle(answer, at: moment).contains { if case .contents = $0 { true } else { false } })
        }
        #expect(launch.handle(.appBecame(.active), at: moment).isEmpty)
    }

    @Test("a pasteboard that doesn't answer isn't waited for longer than two seconds, and its answer begins no check")
    func slow() {
        var launch = RandomLaunch.launch()
        var moment = RandomLaunch.moment()
        for event in [
            Launch.Event.mayAskRequested(call: 1, activity: .active), .activity(1, .active), .changeCount(2, 1),
        ] {
            _ = launch.handle(event, at: moment)
        }
        moment.steady = moment.steady.advanced(by: 2)
        #expect(launch.handle(.woke(moment.steady), at: moment) == [.resumeMayAsk(call: 1, false)])
        #expect(launch.handle(.probed(3, .success(.link)), at: moment).isEmpty)
        #expect(launch.check == nil)
    }

    @Test("whatever has happened before, a check reads only if it was said just before, and as it would have without")
    func agreement() {
        var (said, reads) = (0, 0)
        expectNoProblems(of: randomSeeds(300, optimized: 20_000)) { seed in
            var run = RandomLaunch(seed: seed)
            run.happen(count: Int(seed % 60))
            guard run.launch.check == nil, run.launch.preflight == nil, run.launch.judging == nil else {
                return run.problems
            }
            let world = AnsweringWorld(seed: seed)
            var untouched = run.launch
            var launch = run.launch
            let record = launch.record
            let moment = run.moment
            launch.settings.checksAtActivation = false
            untouched.settings.checksAtActivation = false
            var answer = world.perform(
                [.mayAskRequested(call: 1_000, activity: .active), .appBecame(.active)],
                &launch,
                moment
            )
            if answer.mayAsk == nil { return ["no answer"] }
            // What was due before begins at once.
            if answer.reads == 0, launch.record != record, launch.due == nil, answer.checks == 0 {
                return ["it remembers something"]
            }
            let check: [Launch.Event] = [.appBecame(.active), .checkRequested(call: 1_001, activity: .active)]
            answer.reads += world.perform(check, &launch, moment).reads
            let alone = world.perform(check, &untouched, moment)
            if answer.mayAsk == true { said += 1 }
            reads += min(answer.reads, 1)
            if answer.reads > 0, answer.mayAsk == false { return ["a read that wasn't said"] }
            if (answer.reads > 0) != (alone.reads > 0) { return ["it changes what a check does"] }
            return []
        }
        #expect(reads > 10 && said >= reads, "\(said) \(reads)")
    }
}

/// Answers each question of a launch at once and in the same way, and counts the reads, which it doesn't answer.
private struct AnsweringWorld {
    let clip: Result<ClipContents, AppStoreBridge.Failure>
    let changeCount: Int?
    let sight: Result<PasteboardSight, AppStoreBridge.Failure>
    let isLocked: Bool

    init(seed: UInt64) {
        var random = SeededGenerator(state: seed &+ 1)
        let failure = AppStoreBridge.Failure(CancellationError())
        let opened = Int64(Fixture.now.milliseconds) - 1_000
        let file = #"{"format":1,"address":"\#(SimulatedDevice.landingAddress("dora"))","opened":\#(opened)}"#
        clip =
            [
                .success(.nothing), .success(.nothing), .success(.file(Array(file.utf8))), .success(.tooLarge),
                .failure(failure),
            ]
            .randomElement(using: &random) ?? .success(.nothing)
        changeCount = [nil, 0, 1, 2, 3].randomElement(using: &random) ?? nil
        sight =
            [.success(.link), .success(.link), .success(.noLink), .success(.otherLink(types: [])), .failure(failure)]
            .randomElement(using: &random) ?? .success(.link)
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
                case .probe(let number, _): queue.append(.probed(number, sight))
                case .tell(let number, _): queue.append(.told(number, isHeard: true))
                case .findCode(let number, _): queue.append(.code(number, nil))
                case .save(let number, _): queue.append(.saved(number, nil))
                case .contents: reads += 1
                case .resumeMayAsk(_, let answer): mayAsk = answer
                case .report: checks += 1
                case .observeActivity, .clear, .reportLedgerFailure, .resume: break
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
