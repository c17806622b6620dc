import Foundation
import Testing

@testable import ReferralBridge

/// When a bridge reads a pasteboard, and what it makes of one that misbehaves. What takes time is in the folder `Launch`.
@MainActor
struct PasteboardChecksTests {
    let ledger = InMemoryLedger()

    /// A bridge as a launch of the app makes it.
    private func bridge(_ pasteboard: CountingPasteboard, _ policy: AttributionPolicy = .everyone) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: pasteboard,
            ledger: ledger,
            clock: Fixture.clock
        )
        bridge.attributionPolicy = policy
        bridge.onArrival = { _ in }
        // Other tests may keep the main actor busy for longer than a person would wait.
        bridge.timeLimit = 600
        return bridge
    }

    @Test("if nothing may be a link nothing is read, and two silent accesses are all")
    func nothing() async {
        let pasteboard = CountingPasteboard([], mayHoldLink: false)
        #expect(await bridge(pasteboard).checkForReferralLinks() == .noLinkDetected)
        #expect(await pasteboard.accesses == ["changeCount", "mayHoldLink"])
    }

    @Test("a pasteboard without a referral is read once for each change, launch after launch")
    func oncePerChange() async {
        let pasteboard = CountingPasteboard(["https://example.com"])
        for _ in 0..<3 { await bridge(pasteboard).checkForReferralLinks() }
        #expect(await pasteboard.reads == 1)
        #expect(await bridge(pasteboard).checkForReferralLinks() == .unchanged)

        await pasteboard.put([Fixture.link()])
        #expect(await bridge(pasteboard).checkForReferralLinks().arrival != nil, "a new content is read")
    }

    @Test("a probe or a read that fails says why, and is tried again", arguments: [true, false], [true, false])
    func failed(_ isProbe: Bool, isDenied: Bool) async {
        let pasteboard = CountingPasteboard([Fixture.link()])
        let error: any Error = isDenied ? PasteboardError.accessDenied : CountingPasteboard.Failure()
        await pasteboard.set(isProbe ? .failingToProbe(error) : .failingToRead(error))
        let outcome = await bridge(pasteboard).checkForReferralLinks()
        #expect(outcome == .readFailed(AppStoreBridge.Failure(error)))
        #expect(await pasteboard.reads == (isProbe ? 0 : 1))
        #expect(ledger.load() == nil)

        await pasteboard.set(.answering)
        #expect(await bridge(pasteboard).checkForReferralLinks().arrival != nil)
    }

    @Test("a pasteboard's contents name the change that they belong to, so that a later one is read too")
    func changedMeanwhile() async {
        let pasteboard = CountingPasteboard(["https://example.com"])
        await pasteboard.set(.changing(to: [Fixture.link()]))
        await bridge(pasteboard).checkForReferralLinks()
        await pasteboard.set(.answering)
        #expect(await bridge(pasteboard).checkForReferralLinks().arrival != nil)
    }

    @Test(
        "a start of the device that is up to a minute off is the same one",
        arguments: [(0, true), (60_000, true), (-60_000, true), (60_001, false), (-60_001, false)]
    )
    func startOfDevice(_ difference: Double, isSame: Bool) async throws {
        let mark = PasteboardMark(changeCount: 1, startOfDevice: Fixture.before(10_000 + difference))
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: CountingPasteboard(["x"]),
            ledger: try InMemoryLedger(LedgerRecord(lastRead: mark)),
            clock: DeviceClock(now: { Fixture.now }, uptime: { 10 })
        )
        bridge.timeLimit = 600
        #expect((await bridge.checkForReferralLinks() == .unchanged) == isSame)
    }

    @Test("a description names the first five verdicts, and how many more there are", arguments: [4, 5, 6, 1_000])
    func verdicts(_ count: Int) async {
        let outcome = await bridge(CountingPasteboard((0..<count).map { "secret \($0)" })).checkForReferralLinks()
        #expect(!outcome.description.contains("secret"))
        #expect(outcome.description.split(separator: "notALink: ").count - 1 == min(count, 5))
        #expect(outcome.description.hasSuffix(count > 5 ? ". And \(count - 5) more." : "App Store."))
    }

    @Test("every outcome says something else, and nothing of the pasteboard")
    func descriptions() throws {
        let scan = ReferralScanner(appID: Fixture.app).scan(["secret", Fixture.link(ed: "secret")], now: Fixture.now)
        let arrival = Arrival(try Referral(referrer: "secret"), road: .opened)
        let outcomes: [AppStoreBridge.Outcome] = [
            .found(arrival), .held(arrival), .unreported(arrival), .noLinkDetected, .unchanged, .emptyOrDenied,
            .readFailed(AppStoreBridge.Failure(ClipProblem.malformed)), .noReferral(scan), .skipped, .stillReading,
            .waitingForActivation, .waitingForUnlock,
        ]
        let descriptions = outcomes.map(\.description)
        #expect(Set(descriptions).count == outcomes.count)
        #expect(descriptions.allSatisfy { !$0.contains("secret") && $0.hasSuffix(".") })
        #expect(outcomes.map { $0.arrival == nil } == [false, false, false] + Array(repeating: true, count: 9))
    }

    // MARK: Policy

    @Test(
        "an empty or failed read does not end the first launch, and a read of anything does",
        arguments: [true, false]
    )
    func firstLaunchKept(_ isEmpty: Bool) async {
        let pasteboard = CountingPasteboard(isEmpty ? [] : [Fixture.link()])
        if !isEmpty { await pasteboard.set(.failingToRead(CountingPasteboard.Failure())) }
        await bridge(pasteboard, .firstLaunch).checkForReferralLinks()

        await pasteboard.set(.answering)
        await pasteboard.put([Fixture.link()])
        #expect(await bridge(pasteboard, .firstLaunch).checkForReferralLinks().arrival != nil)
        await pasteboard.put([Fixture.link(age: 1)])
        #expect(await bridge(pasteboard, .firstLaunch).checkForReferralLinks() == .skipped)
    }
}

/// A pasteboard that counts every access, and misbehaves on request.
actor CountingPasteboard: Pasteboard {
    enum Behaviour {
        case answering
        case failingToProbe(any Error)
        case failingToRead(any Error)
        case changing(to: [String])
    }

    struct Failure: Error {}

    private var list: [String]
    private var count = 1
    private var isPromising: Bool
    private var behaviour = Behaviour.answering
    private(set) var accesses: [String] = []
    var reads: Int { accesses.count { $0 == "contents" } }

    init(_ list: [String], mayHoldLink: Bool = true) {
        self.list = list
        isPromising = mayHoldLink
    }

    func put(_ strings: [String]) {
        list = strings
        count += 1
        isPromising = true
    }

    func set(_ behaviour: Behaviour) { self.behaviour = behaviour }

    var changeCount: Int? {
        accesses.append("changeCount")
        return count
    }

    func mayHoldLink() throws -> Bool {
        accesses.append("mayHoldLink")
        if case .failingToProbe(let error) = behaviour { throw error }
        return isPromising
    }

    func contents() throws -> PasteboardContents {
        accesses.append("contents")
        let contents = PasteboardContents(strings: list, changeCount: count)
        switch behaviour {
        case .failingToRead(let error): throw error
        case .changing(let strings): put(strings)
        default: break
        }
        return contents
    }
}
