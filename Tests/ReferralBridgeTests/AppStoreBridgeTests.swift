import ReferralBridge
import Testing

@MainActor
struct AppStoreBridgeTests {
    let ledger = MemoryLedger()

    private func bridge(_ pasteboard: any Pasteboard, ledger: (any ReferralLedger)? = nil) -> AppStoreBridge {
        AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: pasteboard,
            ledger: ledger ?? self.ledger,
            now: { Fixture.now }
        )
    }

    @Test("a link on the pasteboard is reported to the delegate, whole, and once")
    func reportsOnce() async {
        let delegate = Delegate()
        let bridge = bridge(ListPasteboard(["x", Fixture.link("spring", age: 1_000)]))
        bridge.delegate = delegate

        guard case .found(let referral) = await bridge.checkForReferralLinks() else {
            Issue.record("not found")
            return
        }
        #expect(referral.referrer == "spring")
        #expect(delegate.referrers == ["spring"])
        #expect(delegate.referrals == [referral])
        #expect(ledger.record().newestReported == referral.timestamp)

        guard case .nothingForUs(let result) = await bridge.checkForReferralLinks() else {
            Issue.record("found again")
            return
        }
        #expect(result.verdicts == [.notALink, .alreadyReported])
        #expect(delegate.referrers == ["spring"])
    }

    @Test("another launch with the same ledger does not report it again")
    func remembersAcrossLaunches() async {
        let delegate = Delegate()
        for _ in 0..<2 {
            let bridge = bridge(ListPasteboard([Fixture.link()]))
            bridge.delegate = delegate
            await bridge.checkForReferralLinks()
        }
        #expect(delegate.referrers == ["spring"])
    }

    @Test("two checks at once read once, report once and answer the same")
    func twoAtOnce() async {
        let pasteboard = SlowPasteboard([Fixture.link()])
        let delegate = Delegate()
        let bridge = bridge(pasteboard)
        bridge.delegate = delegate
        async let first = bridge.checkForReferralLinks()
        async let second = bridge.checkForReferralLinks()
        await pasteboard.waitForRead()
        await pasteboard.answer()
        let outcomes = await [first, second]
        #expect(outcomes[0] == outcomes[1])
        #expect(delegate.referrers == ["spring"])
        #expect(await pasteboard.reads == 1)
    }

    @Test("a delegate that is gone is no crash, and the tap is not used up")
    func delegateGone() async {
        let pasteboard = SlowPasteboard([Fixture.link()])
        let bridge = bridge(pasteboard)
        var delegate: Delegate? = Delegate()
        bridge.delegate = delegate
        async let outcome = bridge.checkForReferralLinks()
        await pasteboard.waitForRead()
        delegate = nil
        #expect(bridge.delegate == nil, "the bridge does not keep its delegate alive")
        await pasteboard.answer()
        #expect(await outcome != .nothingToRead)
        #expect(ledger.record() == LedgerRecord(), "nothing is remembered, so that it is found again")

        let next = Delegate()
        bridge.delegate = next
        await bridge.checkForReferralLinks()
        #expect(next.referrers == ["spring"])
        _ = delegate
    }

    @Test("a closure is told too, with a delegate or without")
    func closure() async {
        var referrers: [String] = []
        let bridge = bridge(ListPasteboard([Fixture.link()]))
        bridge.onReferral = { referrers.append($0.referrer) }
        await bridge.checkForReferralLinks()
        await bridge.checkForReferralLinks()
        #expect(referrers == ["spring"])
    }

    @Test("the report comes before the ledger's entry, so that a crash in between loses nothing")
    func reportsFirst() async {
        let journal = JournalLedger()
        let bridge = bridge(ListPasteboard([Fixture.link()]), ledger: journal)
        bridge.onReferral = { _ in journal.note("reported") }
        await bridge.checkForReferralLinks()
        #expect(journal.notes == ["reported", "remembered"])
    }

    @Test("what came of a check, when nothing was found")
    func outcomes() async {
        #expect(await bridge(ListPasteboard([])).checkForReferralLinks() == .nothingToRead)
        #expect(await bridge(DecliningPasteboard()).checkForReferralLinks() == .notAllowedOrEmpty)
        let scan = ReferralScanner(appID: Fixture.app).scan(["a", "b"], now: Fixture.now)
        #expect(await bridge(ListPasteboard(["a", "b"])).checkForReferralLinks() == .nothingForUs(scan))
    }

    @Test("a delegate that implements the one method it must is told through it")
    func smallDelegate() async {
        final class Small: AppStoreBridgeDelegate {
            var referrers: [String] = []
            func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String) {
                referrers.append(referrer)
            }
        }
        let small = Small()
        let bridge = bridge(ListPasteboard([Fixture.link()]))
        bridge.delegate = small
        await bridge.checkForReferralLinks()
        #expect(small.referrers == ["spring"])
    }

    @Test("a ledger that fails loses no tap, reports none twice, and is told of")
    func failingLedger() async {
        let delegate = Delegate()
        let bridge = bridge(ListPasteboard([Fixture.link()]), ledger: FailingLedger())
        bridge.delegate = delegate
        await bridge.checkForReferralLinks()
        await bridge.checkForReferralLinks()
        #expect(delegate.referrers == ["spring"])
        #expect(delegate.failures > 0)
    }

    @Test("a ledger with a time from a wrong clock hides no tap and makes none be told twice")
    func futureLedger() async {
        struct Stuck: ReferralLedger {
            func record() -> LedgerRecord { LedgerRecord(newestReported: Fixture.before(-86_400_000)) }
            func save(_ record: LedgerRecord) throws { throw CancellationError() }
        }
        let delegate = Delegate()
        let bridge = bridge(ListPasteboard([Fixture.link()]), ledger: Stuck())
        bridge.delegate = delegate
        for _ in 0..<3 { await bridge.checkForReferralLinks() }
        #expect(delegate.referrers == ["spring"])
        #expect(delegate.failures > 0)
    }

    @Test("a ledger that cannot be read is replaced by one that can")
    func corruptLedger() async {
        final class Corrupt: ReferralLedger {
            var saved: LedgerRecord?
            nonisolated init() {}
            func record() throws -> LedgerRecord {
                guard let saved else { throw CancellationError() }
                return saved
            }
            func save(_ record: LedgerRecord) { saved = record }
        }
        let delegate = Delegate()
        let ledger = Corrupt()
        let bridge = bridge(ListPasteboard([Fixture.link()]), ledger: ledger)
        bridge.delegate = delegate
        await bridge.checkForReferralLinks()
        #expect(ledger.saved?.newestReported == Fixture.before(1_000))
        #expect(delegate.failures == 1)
    }

    @Test("whoever is told may call the bridge again, and is told once")
    func reentrant() async {
        var referrers: [String] = []
        let bridge = bridge(ListPasteboard([Fixture.link()]))
        bridge.onReferral = { [unowned bridge] referral in
            referrers.append(referral.referrer)
            if referrers.count < 5 { bridge.paste([Fixture.link()]) }
        }
        await bridge.checkForReferralLinks()
        #expect(referrers == ["spring"])
    }

    @Test("a person who takes long over the system's question does not lose the tap by it")
    func timeOfCheck() async {
        let clock = Clock()
        let pasteboard = SlowPasteboard([Fixture.link(age: 299_000)])
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: pasteboard,
            ledger: ledger,
            now: { clock.now }
        )
        async let outcome = bridge.checkForReferralLinks()
        await pasteboard.waitForRead()
        clock.now = Timestamp(milliseconds: Fixture.now.milliseconds + 60_000)
        await pasteboard.answer()
        guard case .found = await outcome else {
            Issue.record("lost")
            return
        }
    }
}

// MARK: - Stand-ins

@MainActor
private final class Delegate: AppStoreBridgeDelegate {
    var referrers: [String] = []
    var referrals: [Referral] = []
    var failures = 0

    func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String) {
        referrers.append(referrer)
    }

    func appStoreBridge(_ bridge: AppStoreBridge, didReceive referral: Referral) { referrals.append(referral) }

    func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error) { failures += 1 }
}

/// A pasteboard whose answer comes when the test says so.
private actor SlowPasteboard: Pasteboard {
    private let list: [String]
    private(set) var reads = 0
    private var isAnswered = false
    private var readers: [CheckedContinuation<Void, Never>] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ list: [String]) { self.list = list }

    func mayHoldLink() -> Bool { true }

    func strings() async -> [String] {
        reads += 1
        waiters.forEach { $0.resume() }
        waiters = []
        if !isAnswered { await withCheckedContinuation { readers.append($0) } }
        return list
    }

    func waitForRead() async {
        if reads == 0 { await withCheckedContinuation { waiters.append($0) } }
    }

    func answer() {
        isAnswered = true
        readers.forEach { $0.resume() }
        readers = []
    }
}

private struct DecliningPasteboard: Pasteboard {
    func mayHoldLink() async -> Bool { true }
    func strings() async -> [String] { [] }
}

@MainActor
private final class JournalLedger: ReferralLedger {
    private(set) var notes: [String] = []

    nonisolated init() {}
    func note(_ text: String) { notes.append(text) }

    func record() -> LedgerRecord { LedgerRecord() }
    func save(_ record: LedgerRecord) { note("remembered") }
}

private struct FailingLedger: ReferralLedger {
    struct Failure: Error {}
    func record() throws -> LedgerRecord { throw Failure() }
    func save(_ record: LedgerRecord) throws { throw Failure() }
}

private final class Clock: @unchecked Sendable {
    /// Set and read on the main actor alone.
    var now = Fixture.now
}
