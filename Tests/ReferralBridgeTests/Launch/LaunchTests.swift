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
            .activity(1, .active), .activity(9, .background), .clip(9, .success(.tooLarge)), .clipRemoved(9),
            .changeCount(9, 1), .probed(9, .success(.link)), .contents(9, .success(PasteboardContents(strings: ["a"]))),
            .code(9, "a"), .told(9, isHeard: true), .saved(9, nil),
        ]
        for event in foreign {
            #expect(launch.handle(event, at: moment).isEmpty, "\(event)")
            #expect(launch == before, "\(event)")
        }
    }

    @Test("a check that a late probe begins tells nobody of a content that is known")
    func quiet() throws {
        var launch = try probingLaunch()
        var moment = RandomLaunch.moment()
        moment.steady = moment.steady.advanced(by: 2)
        #expect(launch.handle(.woke(moment.steady), at: moment).contains(.resume(call: 1, .stillReading)))
        _ = launch.handle(.probed(3, .success(.link)), at: moment)
        #expect(launch.check?.due.isQuiet == true)
    }

    @Test("a check's call hears what was found; the app decides on clearing", arguments: [false, true])
    func found(clears: Bool) throws {
        var launch = try probingLaunch()
        let moment = RandomLaunch.moment()
        launch.settings.clearsPasteboard = clears
        _ = launch.handle(.probed(3, .success(.link)), at: moment)
        let contents = PasteboardContents(strings: [Fixture.link(age: 1)], changeCount: 5)
        let effects = launch.handle(.contents(4, .success(contents)), at: moment)
        guard case .tell(5, let arrival)? = effects.last else { return _ = Issue.record("not told") }
        let after = launch.handle(.told(5, isHeard: true), at: moment)
        #expect(after.contains(.resume(call: 1, .found(arrival))))
        #expect(after.contains(.clear(changeCount: 5)) == clears)
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

    @Test("a late look counts while the app stays in front, and the last one also if it went away")
    func lateLooks() {
        var probes = Probes()
        func ask(_ numbers: Int...) {
            for number in numbers {
                probes.begin(.init(number: number, changeCount: 5, departures: 0, moment: Fixture.now))
            }
        }
        func accepts(_ number: Int, departures: Int) -> Bool {
            probes.acceptLate(number, .success(.link), departures: departures) != nil
        }
        ask(1, 2)
        #expect(accepts(1, departures: 0))
        ask(3, 4)
        #expect(!accepts(3, departures: 1))
        #expect(accepts(4, departures: 1))
        #expect(!accepts(2, departures: 0), "a later one has answered")
        ask(5)
        #expect(accepts(5, departures: 0))
        #expect(probes.takeLate(5, departures: 0) == .link)
        #expect(probes.takeLate(5, departures: 0) == nil, "the next check looks itself")
    }

    @Test("a content that was empty once and is read the second time isn't known as empty anymore")
    func emptyRead() {
        var ledger = LaunchLedger(window: .standard)
        let mark = PasteboardMark(changeCount: 5, startOfDevice: Fixture.before(1_000_000))
        ledger.markEmptyRead(mark, at: Fixture.now)
        #expect(ledger.record(at: Fixture.now).emptyRead == mark)
        ledger.markRead(mark)
        #expect(ledger.record(at: Fixture.now).emptyRead == nil)
    }

    /// A launch with a check for the call 1, which has asked the question 3: a probe of the content 5.
    private func probingLaunch() throws -> Launch {
        var launch = RandomLaunch.launch()
        let moment = RandomLaunch.moment()
        _ = launch.handle(.checkRequested(call: 1, activity: .active), at: moment)
        _ = launch.handle(.activity(1, .active), at: moment)
        try #require(launch.handle(.changeCount(2, 5), at: moment).contains(.probe(3, .anyAddress)))
        return launch
    }
}
