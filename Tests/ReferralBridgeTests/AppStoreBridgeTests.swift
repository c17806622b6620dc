import Foundation
import Testing

@testable import ReferralBridge

/// Who is told of a referral, and what is remembered of it.
@MainActor
struct AppStoreBridgeTests {
    let ledger = InMemoryLedger()

    private func bridge(_ pasteboard: any Pasteboard, ledger: (any ReferralLedger)? = nil) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: pasteboard,
            ledger: ledger ?? self.ledger,
            clock: Fixture.clock
        )
        bridge.attributionPolicy = .everyone
        // Other tests may keep the main actor busy for longer than a person would wait.
        bridge.timeLimit = 600
        return bridge
    }

    @Test("a new bridge looks at the pasteboard only at the first launch, and reads any address")
    func defaults() async {
        func launch() -> AppStoreBridge {
            let bridge = AppStoreBridge(
                scanner: ReferralScanner(appID: Fixture.app),
                pasteboard: InMemoryPasteboard([Fixture.link()]),
                ledger: ledger,
                clock: Fixture.clock
            )
            bridge.onArrival = { _ in }
            return bridge
        }
        #expect(await launch().checkForReferralLinks().arrival != nil)
        #expect(await launch().checkForReferralLinks() == .skipped)
    }

    @Test("a link on the pasteboard is reported to the delegate, whole, and once")
    func reportsOnce() async throws {
        let delegate = Delegate()
        let bridge = bridge(InMemoryPasteboard(["x", Fixture.link("spring", age: 1_000)]))
        bridge.delegate = delegate

        guard case .found(let arrival) = await bridge.checkForReferralLinks() else {
            Issue.record("not found")
            return
        }
        #expect(arrival.referrer == "spring")
        #expect(delegate.arrivals == [arrival])
        #expect(try ledger.record.reported.last == arrival.timestamp)

        guard case .noReferral(let result) = await bridge.checkForReferralLinks() else {
            Issue.record("found again")
            return
        }
        #expect(result.verdicts == [.notALink, .alreadyReported])
        #expect(delegate.arrivals == [arrival])
    }

    @Test("a bridge doesn't keep its delegate alive")
    func weakDelegate() {
        let bridge = bridge(InMemoryPasteboard([]))
        var delegate: Delegate? = Delegate()
        bridge.delegate = delegate
        #expect(bridge.delegate != nil)
        delegate = nil
        #expect(bridge.delegate == nil)
    }

    @Test("the delegate and the closure hear how each check ended")
    func hearsOutcomes() async {
        let (delegate, pasteboard) = (Delegate(), InMemoryPasteboard())
        var outcomes: [AppStoreBridge.Outcome] = []
        let bridge = bridge(pasteboard)
        bridge.delegate = delegate
        bridge.onOutcome = { outcomes.append($0) }
        await bridge.checkForReferralLinks()
        #expect(outcomes == [.noLinkDetected])
        #expect(delegate.outcomes == [.noLinkDetected])
        pasteboard.strings = [Fixture.link()]
        #expect(await pasteboard.mayHoldLink() && bridge.handlePaste(pasteboard.strings[0]).referrer != nil)
    }

    @Test("the report comes before the ledger's entry, so that a crash in between loses nothing")
    func reportsFirst() async {
        let journal = JournalLedger()
        let bridge = bridge(InMemoryPasteboard([Fixture.link()]), ledger: journal)
        bridge.onArrival = { _ in journal.note("reported") }
        await bridge.checkForReferralLinks()
        #expect(journal.notes == ["reported", "remembered"])
    }

    @Test("a ledger that fails loses no tap, makes none be reported twice, and is told of once")
    func failingLedger() async {
        let delegate = Delegate()
        let bridge = bridge(InMemoryPasteboard([Fixture.link()]), ledger: FailingLedger())
        bridge.delegate = delegate
        await bridge.checkForReferralLinks()
        await bridge.checkForReferralLinks()
        #expect(delegate.referrers == ["spring"])
        #expect(delegate.failures == 1)
    }

    @Test("a ledger with a time from a wrong clock hides no tap and makes none be reported twice")
    func futureLedger() async {
        struct Stuck: ReferralLedger {
            func load() throws -> Data? {
                try JSONEncoder().encode(LedgerRecord(reported: ReportedTaps(last: Fixture.before(-86_400_000))))
            }
            func save(_ data: Data) throws { throw CancellationError() }
        }
        let delegate = Delegate()
        let bridge = bridge(InMemoryPasteboard([Fixture.link()]), ledger: Stuck())
        bridge.delegate = delegate
        for _ in 0..<3 { await bridge.checkForReferralLinks() }
        #expect(delegate.referrers == ["spring"])
        #expect(delegate.failures > 0)
    }

    @Test("a ledger that can't be read is replaced by one that can")
    func corruptLedger() async throws {
        final class Corrupt: ReferralLedger {
            var saved = Data("x".utf8)
            nonisolated init() {}
            func load() throws -> Data? { saved }
            func save(_ data: Data) { saved = data }
        }
        let delegate = Delegate()
        let ledger = Corrupt()
        let bridge = bridge(InMemoryPasteboard([Fixture.link()]), ledger: ledger)
        bridge.delegate = delegate
        await bridge.checkForReferralLinks()
        #expect(try LedgerRecord(ledger.load()).reported.last == Fixture.before(1_000))
        #expect(delegate.failures == 1)
    }

    @Test(
        "of a tap reported here and one reported elsewhere the newer one is remembered, but none from a wrong clock",
        arguments: [
            (elsewhere: 1_000, setBack: 0, isKept: true), (3_000, 0, false), (-86_400_000, 0, false),
            (172_800_000, 86_400_000, true),
        ]
    )
    func elsewhere(_ age: Double, setBack: Double, isKept: Bool) async throws {
        @MainActor final class Moment { var now = Fixture.now }
        let moment = Moment()
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: InMemoryPasteboard([]),
            ledger: ledger,
            clock: DeviceClock(now: { MainActor.assumeIsolated { moment.now } })
        )
        bridge.onArrival = { _ in }
        bridge.timeLimit = 600
        bridge.handlePaste([Fixture.link(age: 2_000)])
        try LedgerRecord(reported: ReportedTaps(last: Fixture.before(age))).save(in: ledger)
        moment.now = Fixture.before(setBack)
        await bridge.checkForReferralLinks()
        #expect(try ledger.record.reported.last == Fixture.before(isKept ? age : 2_000))
    }

    @Test("whoever is told may call the bridge again, and is told once")
    func reentrant() async {
        var referrers: [String] = []
        let bridge = bridge(InMemoryPasteboard([Fixture.link()]))
        bridge.onArrival = { [unowned bridge] referral in
            referrers.append(referral.referrer)
            if referrers.count < 5 { bridge.handlePaste([Fixture.link()]) }
        }
        await bridge.checkForReferralLinks()
        #expect(referrers == ["spring"])
    }
}

// MARK: - Stand-ins

@MainActor
private final class Delegate: AppStoreBridgeDelegate {
    var arrivals: [Arrival] = []
    var outcomes: [AppStoreBridge.Outcome] = []
    var failures = 0
    var referrers: [String] { arrivals.map(\.referrer) }

    func appStoreBridge(_ bridge: AppStoreBridge, didReceive arrival: Arrival) { arrivals.append(arrival) }

    func appStoreBridge(_ bridge: AppStoreBridge, didFinishCheckWith outcome: AppStoreBridge.Outcome) {
        outcomes.append(outcome)
    }

    func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error) { failures += 1 }
}

@MainActor
private final class JournalLedger: ReferralLedger {
    private(set) var notes: [String] = []

    nonisolated init() {}
    func note(_ text: String) { notes.append(text) }

    func load() -> Data? { nil }
    func save(_ data: Data) { note("remembered") }
}

private struct FailingLedger: ReferralLedger {
    struct Failure: Error {}
    func load() throws -> Data? { throw Failure() }
    func save(_ data: Data) throws { throw Failure() }
}
