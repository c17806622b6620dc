import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBasics
@testable import ReferralBridge

/// What `handle` does, without a bridge around it.
struct LaunchTests {
    @Test("a doubled answer, and one to a question that isn't open, change nothing")
    func foreignAnswers() {
        var launch = RandomLaunch.launch()
        let moment = RandomLaunch.moment()
        _ = launch.handle(.checkRequested(call: 1, activity: .active), at: moment)
        _ = launch.handle(.activity(1, .active), at: moment)
        let before = launch
        let foreign: [Launch.Event] = [
            .activity(1, .active), .activity(9, .background), .clip(9, .success([])), .clipRemoved(9),
            .changeCount(9, 1), .probed(9, .success(true)), .contents(9, .success(PasteboardContents(strings: ["a"]))),
            .told(9, isHeard: true), .saved(9, nil),
        ]
        for event in foreign {
            #expect(launch.handle(event, at: moment).isEmpty, "\(event)")
            #expect(launch == before, "\(event)")
        }
    }

    @Test("without an activity, another call asks for a silent look again that has no answer")
    func lostProbe() throws {
        var launch = try probingLaunch()
        let moment = RandomLaunch.moment()
        #expect(launch.handle(.checkRequested(call: 2, activity: .active), at: moment).isEmpty)
        #expect(launch.handle(.checkRequested(call: 3, activity: nil), at: moment) == [.activity(4)])
        #expect(launch.calls == [1, 2, 3])
    }

    @Test("what was read and not told is judged by the ledger as it is then")
    func keptReading() throws {
        var launch = try probingLaunch()
        let moment = RandomLaunch.moment()
        let events: [Launch.Event] = [
            .checkRequested(call: 9, activity: nil), .appBecame(.active), .clip(9, .success(nil)), .clipRemoved(9),
            .changeCount(9, 5), .probed(9, .success(true)),
        ]
        #expect(!events.contains { launch.needsLedger(for: $0) })
        _ = launch.handle(.probed(3, .success(true)), at: moment)
        let contents = PasteboardContents(strings: [Fixture.link(age: 1)], changeCount: 5)
        _ = launch.handle(.contents(4, .success(contents)), at: moment)
        _ = launch.handle(.told(5, isHeard: false), at: moment)
        #expect(events.allSatisfy { launch.needsLedger(for: $0) })
    }

    @Test("without a change count, a content is read once at an activation, and what is kept keeps its moment")
    func withoutChangeCount() throws {
        var launch = try probingLaunch(nil)
        var moment = RandomLaunch.moment()
        let contents = PasteboardContents(strings: [Fixture.link(age: 1)])
        let first: [Launch.Event] = [
            .probed(3, .success(true)), .appBecame(.inactive), .appBecame(.active), .contents(4, .success(contents)),
            .told(5, isHeard: false), .activity(6, .active),
        ]
        for event in first { _ = launch.handle(event, at: moment) }
        #expect(launch.handle(.changeCount(7, nil), at: moment).isEmpty, "the app has only returned from the question")

        moment.now = moment.now.advanced(by: 400)
        let second: [Launch.Event] = [
            .appBecame(.background), .appBecame(.active), .activity(8, .active), .changeCount(9, nil),
            .probed(10, .success(true)),
        ]
        for event in second { _ = launch.handle(event, at: moment) }
        let effects = launch.handle(.contents(11, .success(contents)), at: moment)
        guard case .tell(12, _)? = effects.last else { return _ = Issue.record("expired: \(effects)") }
    }

    @Test("a call whose check is put off isn't answered with what the App Clip's file came to")
    func putOff() {
        var launch = RandomLaunch.launch()
        launch.settings.hasClip = true
        let events: [Launch.Event] = [
            .checkRequested(call: 1, activity: .active), .activity(1, .active), .clip(2, .success([])), .clipRemoved(3),
            .changeCount(4, 5), .appBecame(.inactive), .appBecame(.active),
        ]
        let effects = events.flatMap { launch.handle($0, at: RandomLaunch.moment()) }
        #expect(effects.last == .activity(6), "another check begins")
        #expect(!effects.contains { $0.answeredCall == 1 })
    }

    @Test("a ledger that fails again is reported again, once it was written meanwhile")
    func ledgerFailures() {
        var ledger = LaunchLedger(window: .standard)
        let failure = AppStoreBridge.Failure(CancellationError())
        for (number, tap) in [(1, 3.0), (2, 2), (3, 1)] {
            ledger.insertReported(Fixture.before(tap), at: Fixture.now)
            _ = ledger.beginWrite(number, at: Fixture.now)
            let reported = ledger.endWrite(number, number == 2 ? nil : failure)
            #expect((reported != nil) == (number != 2))
        }
    }

    @Test("a ledger that can't be read again is reported again, once it could be read meanwhile")
    func unreadableLedger() {
        var ledger = LaunchLedger(window: .standard)
        let failure = AppStoreBridge.Failure(CancellationError())
        for _ in 0..<2 {
            #expect(ledger.receive(.failed(failure)) == failure)
            #expect(ledger.receive(.failed(failure)) == nil)
            #expect(ledger.receive(.record(LedgerRecord())) == nil)
        }
    }

    @Test("a content that was empty once and is read the second time isn't known as empty anymore")
    func emptyRead() {
        var ledger = LaunchLedger(window: .standard)
        let mark = PasteboardMark(changeCount: 5, startOfDevice: Fixture.before(1_000_000))
        ledger.markEmptyRead(mark, at: Fixture.now)
        #expect(ledger.record(at: Fixture.now).emptyRead == mark)
        ledger.markRead(mark)
        #expect(ledger.record(at: Fixture.now).emptyRead == nil)
        // What waited longer is finished after it.
        ledger.markRead(PasteboardMark(changeCount: 4, startOfDevice: Fixture.before(1_000_000)))
        #expect(ledger.record(at: Fixture.now).lastRead == mark)
    }

    @Test("a tap before the activation that a read waited for counts, though it has expired when the contents come")
    func lateContents() throws {
        var launch = try probingLaunch()
        var moment = RandomLaunch.moment()
        _ = launch.handle(.probed(3, .success(true)), at: moment)
        moment.now = moment.now.advanced(by: 210)
        for state in [AppActivityState.background, .active] { _ = launch.handle(.appBecame(state), at: moment) }
        moment.now = moment.now.advanced(by: 400)
        let contents = PasteboardContents(strings: [Fixture.link(age: -200_000)], changeCount: 5)
        let effects = launch.handle(.contents(4, .success(contents)), at: moment)
        guard case .tell(5, _)? = effects.last else { return _ = Issue.record("expired: \(effects)") }
    }

    /// A launch with a check for the call 1, which has asked the question 3: a probe of a content.
    private func probingLaunch(_ changeCount: Int? = 5) throws -> Launch {
        var launch = RandomLaunch.launch()
        let moment = RandomLaunch.moment()
        _ = launch.handle(.checkRequested(call: 1, activity: .active), at: moment)
        _ = launch.handle(.activity(1, .active), at: moment)
        try #require(launch.handle(.changeCount(2, changeCount), at: moment).contains(.probe(3)))
        return launch
    }
}
