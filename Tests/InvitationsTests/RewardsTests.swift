import Foundation
import ReferralBridge
import ReferralInvitations
import TestSupport
import Testing

/// What an app's rewards are told, so that it makes each call once.
struct RewardsTests {
    private let anna = InMemoryGuestbook(user: "_anna")
    private let storage = MemoryStorage()
    private let clock = TestClock(.firstLaunch)
    private let rewards = Rewards()

    private func center(ownReferrer: String? = "anna") -> InviteCenter {
        InviteCenter(anna, storage, ownReferrer: ownReferrer, rewards: rewards, clock: clock)
    }

    @Test("an arrival is claimed unless it is the user's own, and an event is recorded")
    func arrivalAndEvent() async throws {
        let center = center()
        try await center.start()
        try await center.record(from: "ben")
        try await center.record(from: "anna")
        try await center.recordEvent("first-board")
        #expect(await rewards.calls == ["ben", "first-board"])
        await center.settled()
        #expect(await anna.contents.entries.map(\.entry.referrer) == ["ben"])
    }

    @Test("who came is counted at each launch, and each time there are more")
    func entries() async throws {
        func sign(_ friend: String) async throws {
            let entry = GuestbookEntry(
                program: "invite-2026",
                referrer: "anna",
                event: "first-board",
                day: clock.now.date
            )
            _ = try await anna.shared(with: friend).sign(entry)
        }
        var counts = rewards.counts.makeAsyncIterator()
        let center = center()
        try await center.start()
        #expect(await counts.next() == 0)
        try await sign("_ben")
        try await center.readEntries()
        #expect(await counts.next() == 1)
        // Starting again, such as after an error, doesn't count twice.
        try await center.start()
        try await sign("_cem")
        clock.now = clock.now.advanced(by: 1_000)
        try await center.readEntries()
        #expect(await counts.next() == 2)
        let later = self.center()
        try await later.start()
        #expect(await counts.next() == 2)
    }

    @Test("if the rewards fail, the invitation is recorded, and the other way round; the app hears of both")
    func failures() async throws {
        let center = center()
        try await center.start()
        await rewards.fail()
        await #expect(throws: Rewards.Failure.self) { try await center.record(from: "ben") }
        await #expect(throws: Rewards.Failure.self) { try await center.recordEvent("first-board") }
        await center.settled()
        #expect(await anna.contents.entries.map(\.entry.referrer) == ["ben"])

        let full = MemoryStorage()
        let other = InviteCenter(anna, full, ownReferrer: "cem", rewards: rewards, clock: clock)
        try await other.start()
        full.isFailing = true
        await rewards.fail(false)
        await #expect(throws: InvitesError.self) { try await other.record(from: "ben") }
        #expect(await rewards.calls.last == "ben")
    }
}

private actor Rewards: ReferralRewards {
    struct Failure: Error {}

    private(set) var calls: [String] = []
    private var fails = false
    /// The numbers of entries that were counted, one for each call.
    nonisolated let counts: AsyncStream<Int>
    private let counted: AsyncStream<Int>.Continuation

    init() { (counts, counted) = AsyncStream.makeStream() }

    func fail(_ fails: Bool = true) { self.fails = fails }

    func claimRewards(of arrival: Arrival) throws { try note(arrival.referrer) }

    func recordRewardEvent(_ event: String) throws { try note(event) }

    func countInvitations(_ entries: [InvitationEntry]) { counted.yield(entries.count) }

    private func note(_ call: String) throws {
        if fails { throw Failure() }
        calls.append(call)
    }
}
