import Foundation
import ReferralBridge
import Testing

/// When a bridge reads a pasteboard, and what it makes of one that misbehaves.
@MainActor
struct PasteboardChecksTests {
    let ledger = MemoryLedger()

    /// - Parameters:
    ///   - pasteboard: Where it looks.
    ///   - policy: When it looks.
    ///   - isOutOfTime: Whether every read takes too long, which no test waits for.
    /// - Returns: A bridge as a launch of the app makes it.
    private func bridge(
        _ pasteboard: CountingPasteboard,
        _ policy: InstallPolicy = .everyLaunch,
        isOutOfTime: Bool = false
    ) -> AppStoreBridge {
        let scanner = ReferralScanner(appID: Fixture.app)
        let bridge =
            isOutOfTime
            ? AppStoreBridge(
                scanner: scanner,
                pasteboard: pasteboard,
                ledger: ledger,
                now: { Fixture.now },
                timer: { #expect($0 == 3) }
            )
            : AppStoreBridge(scanner: scanner, pasteboard: pasteboard, ledger: ledger, now: { Fixture.now })
        bridge.installPolicy = policy
        bridge.onReferral = { _ in }
        return bridge
    }

    @Test("with nothing that may be a link nothing is read, and three silent looks are all")
    func nothing() async {
        let pasteboard = CountingPasteboard([], mayHoldLink: false)
        #expect(await bridge(pasteboard).checkForReferralLinks() == .nothingToRead)
        #expect(await pasteboard.accesses == ["changeCount", "mayHoldLink"])
    }

    @Test("foreign content is read once for each change, launch after launch")
    func oncePerChange() async {
        let pasteboard = CountingPasteboard(["https://example.com"])
        for _ in 0..<3 { await bridge(pasteboard).checkForReferralLinks() }
        #expect(await pasteboard.reads == 1)
        #expect(await bridge(pasteboard).checkForReferralLinks() == .alreadyRead)

        await pasteboard.put([Fixture.link()])
        guard case .found = await bridge(pasteboard).checkForReferralLinks() else {
            Issue.record("what was put there later must be read")
            return
        }
    }

    @Test("a person who declines is not asked again about the same clipboard")
    func declined() async {
        let pasteboard = CountingPasteboard([])
        #expect(await bridge(pasteboard).checkForReferralLinks() == .notAllowedOrEmpty)
        #expect(await bridge(pasteboard).checkForReferralLinks() == .alreadyRead)
        #expect(await pasteboard.reads == 1)
    }

    @Test("a pasteboard that fails or does not answer is read again, and no tap is lost", arguments: [true, false])
    func failed(_ isTimeout: Bool) async {
        let pasteboard = CountingPasteboard([Fixture.link()])
        await pasteboard.set(isTimeout ? .silent : .failing)
        let outcome = await bridge(pasteboard, isOutOfTime: isTimeout).checkForReferralLinks()
        #expect(outcome == (isTimeout ? .timedOut : .notAllowedOrEmpty))
        #expect(ledger.record() == LedgerRecord())

        await pasteboard.set(.answering)
        guard case .found = await bridge(pasteboard).checkForReferralLinks() else {
            Issue.record("lost")
            return
        }
    }

    @Test("what is put on the pasteboard during the read is read at the next check")
    func changedMeanwhile() async {
        let pasteboard = CountingPasteboard(["https://example.com"])
        await pasteboard.set(.changing(to: [Fixture.link()]))
        #expect(await bridge(pasteboard).checkForReferralLinks() != .alreadyRead)
        await pasteboard.set(.answering)
        guard case .found = await bridge(pasteboard).checkForReferralLinks() else {
            Issue.record("lost")
            return
        }
    }

    @Test("a thousand items of junk are an outcome, and its description holds nothing of them")
    func junk() async {
        let pasteboard = CountingPasteboard((0..<1_000).map { "https://secret.example/\($0)" })
        let outcome = await bridge(pasteboard).checkForReferralLinks()
        guard case .nothingForUs(let result) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(result.judgements.count == 1_000)
        #expect(!outcome.description.contains("secret"))
        #expect(outcome.description.utf8.count < 1_000)
    }

    @Test("no outcome's description holds anything of the pasteboard")
    func descriptions() async {
        let scan = ReferralScanner(appID: Fixture.app).scan(["secret", Fixture.link(ed: "secret")], now: Fixture.now)
        let referral = try? Referral(referrer: "secret")
        let outcomes: [AppStoreBridge.Outcome] = [
            .nothingToRead, .alreadyRead, .notAllowedOrEmpty, .timedOut, .nothingForUs(scan), .notThisLaunch,
        ]
        let descriptions = (outcomes + [referral.map { .found($0) }].compactMap { $0 }).map(\.description)
        #expect(Set(descriptions).count == 7)
        #expect(descriptions.allSatisfy { !$0.contains("secret") && !$0.isEmpty })
    }

    // MARK: Clearing

    @Test("the pasteboard is cleared if the app asks, what was found is ours, and it is still the same one")
    func clearing() async {
        let pasteboard = CountingPasteboard([Fixture.link()])
        let bridge = bridge(pasteboard)
        await bridge.checkForReferralLinks()
        #expect(await pasteboard.clears == [], "off by default")

        bridge.clearsPasteboard = true
        await pasteboard.put(["https://example.com"])
        await bridge.checkForReferralLinks()
        #expect(await pasteboard.clears == [], "what is not ours is left alone")

        await pasteboard.put([Fixture.link(age: 500)])
        let changeCount = await pasteboard.changeCount
        await bridge.checkForReferralLinks()
        #expect(await pasteboard.clears == [changeCount])
    }

    @Test(
        "with something of somebody else's beside it nothing is cleared",
        arguments: [
            "a note", "https://apps.apple.com/app/id9",
        ]
    )
    func clearingOthers(_ other: String) async {
        let pasteboard = CountingPasteboard([Fixture.link(), other])
        let bridge = bridge(pasteboard)
        bridge.clearsPasteboard = true
        await bridge.checkForReferralLinks()
        #expect(ledger.record().newestReported != nil)
        #expect(await pasteboard.clears == [])
    }

    @Test("a tap that lies ahead of a wrong clock is read again once it counts")
    func fromTheFuture() async {
        let pasteboard = CountingPasteboard([Fixture.link(age: -40_000)])
        #expect(await bridge(pasteboard).checkForReferralLinks() != .alreadyRead)
        #expect(ledger.record().readChangeCount == nil)
        #expect(await bridge(pasteboard).checkForReferralLinks() != .alreadyRead)
    }

    @Test("a time limit of any size is no trap", arguments: [.infinity, .nan, -1, 1e300])
    func timeLimits(_ seconds: Double) async {
        let bridge = bridge(CountingPasteboard([Fixture.link()]))
        bridge.readTimeLimit = seconds
        let outcome = await bridge.checkForReferralLinks()
        #expect(outcome != .alreadyRead, "whether it is in time depends on the machine where there is no time")
    }

    // MARK: Install policy

    @Test("the first launch ends with a check that found nothing to read or read something")
    func firstLaunch() async {
        let pasteboard = CountingPasteboard([], mayHoldLink: false)
        #expect(await bridge(pasteboard, .firstLaunch).checkForReferralLinks() == .nothingToRead)
        await pasteboard.put([Fixture.link()])
        #expect(await bridge(pasteboard, .firstLaunch).checkForReferralLinks() == .notThisLaunch)
        #expect(await pasteboard.reads == 0)
    }

    @Test(
        "an empty, failed or timed-out read does not use the first launch up",
        arguments: ["empty", "failing", "silent"]
    )
    func firstLaunchKept(_ kind: String) async {
        let pasteboard = CountingPasteboard(kind == "empty" ? [] : [Fixture.link()])
        if kind != "empty" { await pasteboard.set(kind == "failing" ? .failing : .silent) }
        await bridge(pasteboard, .firstLaunch, isOutOfTime: kind == "silent").checkForReferralLinks()

        await pasteboard.set(.answering)
        await pasteboard.put([Fixture.link()])
        guard case .found = await bridge(pasteboard, .firstLaunch).checkForReferralLinks() else {
            Issue.record("the one chance was used up")
            return
        }
        await pasteboard.put([Fixture.link(age: 1)])
        #expect(await bridge(pasteboard, .firstLaunch).checkForReferralLinks() == .notThisLaunch)
    }

    @Test(
        "only people who first got the app after the tap",
        arguments: [
            (-1_000, true), (1_000, true), (31_000, true), (31_001, false), (1e10, false),
        ]
    )
    func firstDownload(_ age: Double, isFresh: Bool) async {
        // The tap is 1,000 ms old; the tolerance is 30,000.
        let pasteboard = CountingPasteboard([Fixture.link(age: 1_000)])
        let bridge = bridge(pasteboard, .firstDownload { Fixture.before(age).date })
        let outcome = await bridge.checkForReferralLinks()
        #expect((outcome != .notThisLaunch) == isFresh, "\(outcome)")
        #expect((ledger.record().newestReported != nil) == isFresh)
    }

    @Test("a store that does not say when does not use the tap up")
    func firstDownloadUnknown() async {
        struct Offline: Error {}
        let pasteboard = CountingPasteboard([Fixture.link()])
        #expect(await bridge(pasteboard, .firstDownload { throw Offline() }).checkForReferralLinks() == .notThisLaunch)
        guard case .found = await bridge(pasteboard, .firstDownload { Date() }).checkForReferralLinks() else {
            Issue.record("lost")
            return
        }
    }
}

/// A pasteboard that counts every access, and misbehaves on request.
private actor CountingPasteboard: Pasteboard {
    enum Behaviour {
        case answering
        case failing
        case silent
        case changing(to: [String])
    }

    private struct Failure: Error {}

    private var list: [String]
    private var count = 1
    private var isPromising: Bool
    private var behaviour = Behaviour.answering
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var accesses: [String] = []
    private(set) var clears: [Int] = []

    var reads: Int { accesses.count { $0 == "strings" } }

    init(_ list: [String], mayHoldLink: Bool = true) {
        self.list = list
        isPromising = mayHoldLink
    }

    func put(_ strings: [String]) {
        list = strings
        count += 1
        isPromising = true
    }

    /// Changes how it behaves; whoever waits gets an answer, too late.
    func set(_ behaviour: Behaviour) {
        self.behaviour = behaviour
        waiting.forEach { $0.resume() }
        waiting = []
    }

    var changeCount: Int? {
        accesses.append("changeCount")
        return count
    }

    func mayHoldLink() -> Bool {
        accesses.append("mayHoldLink")
        return isPromising
    }

    func strings() async throws -> [String] {
        accesses.append("strings")
        switch behaviour {
        case .answering: return list
        case .failing: throw Failure()
        case .silent:
            await withCheckedContinuation { waiting.append($0) }
            return list
        case .changing(let strings):
            let old = list
            put(strings)
            return old
        }
    }

    func clear(ifChangeCountIs changeCount: Int) { clears.append(changeCount) }
}
