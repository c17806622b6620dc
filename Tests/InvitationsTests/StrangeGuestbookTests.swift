import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

/// A guestbook whose answers have no end.
private actor EndlessGuestbook: Guestbook {
    private let cursors: Int
    private(set) var count = 0

    /// A guestbook with so many cursors, in turn.
    init(cursors: Int) { self.cursors = cursors }

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer { .signed }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        count += 1
        return GuestbookPage([], cursor: "\(count % cursors)", isLast: false)
    }

    func myself() async throws(GuestbookError) -> String { "_anna" }
}

/// A guestbook in which a number of people have come, all in one answer.
private struct CrowdedGuestbook: Guestbook {
    let records: [GuestbookRecord]

    init(_ users: Range<Int>) {
        records = users.map { number in
            let name = GuestbookRecord.name(creator: "_\(number)", program: "invite-2026")
            return GuestbookRecord(name: name, creator: "_\(number)", program: "invite-2026")
        }
    }

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer { .signed }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        GuestbookPage(records, cursor: nil)
    }

    func myself() async throws(GuestbookError) -> String { "_anna" }
}

/// Guestbooks that answer late, never, without end or with too much.
struct StrangeGuestbookTests {
    private let storage = MemoryStorage()
    private let clock = TestClock(.firstLaunch)
    private let anna = InMemoryGuestbook(user: "_anna")

    private func started(_ guestbook: any Guestbook) async throws -> InviteCenter {
        let center = InviteCenter(guestbook, storage, codes: MemoryCodes("4F7K-9Q2M-XRKQ"), clock: clock)
        try await center.start()
        return center
    }

    private func sign(_ users: String...) async throws {
        for user in users {
            let entry = GuestbookEntry(
                program: "invite-2026",
                referrer: "4F7K-9Q2M-XRKQ",
                event: "first-board",
                day: Date()
            )
            _ = try await anna.shared(with: user).sign(entry)
        }
    }

    @Test("a guestbook that doesn't answer is read again after 15 minutes, and a late answer changes nothing")
    func lateAnswer() async throws {
        try await JobQueue.runToEnd {
            try await sign("_ben")
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let (beginning, begin) = AsyncStream.makeStream(of: Void.self)
            await anna.change { contents in
                contents.delay = {
                    begin.yield()
                    for await _ in gate { return }
                }
            }
            let center = try await started(anna)
            for await _ in beginning { break }
            await anna.change { $0.delay = nil }
            clock.milliseconds += 900_000
            try await center.readEntries()
            #expect(try await center.entries.count == 1)
            let count = await anna.contents.requestCount
            opening.yield()
            await JobQueue.settle()
            // The guestbook has answered the request, and nothing else is asked.
            #expect(await anna.contents.requestCount == count + 1)
            #expect(try await center.entries.count == 1)
            try await sign("_cem")
            try await center.readEntries()
            #expect(try await center.entries.count == 2)
        }
    }

    @Test("a signature without an answer holds up others for 15 minutes; a late answer changes nothing")
    func lateSignature() async throws {
        try await JobQueue.runToEnd {
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let (beginning, begin) = AsyncStream.makeStream(of: Void.self)
            let programs = [InviteProgram.test, InviteProgram("spring", event: "second-board")]
            let center = InviteCenter(anna, storage, programs: programs, clock: clock)
            try await center.start()
            try await center.record(from: "ben")
            await anna.change { contents in
                contents.delay = {
                    begin.yield()
                    for await _ in gate { return }
                }
            }
            try await center.recordEvent("first-board")
            for await _ in beginning { break }
            await anna.change { $0.delay = nil }
            clock.milliseconds += 900_000
            try await center.recordEvent("second-board")
            await JobQueue.settle()
            #expect(await anna.contents.entries.map(\.entry.program) == ["spring"])
            clock.milliseconds += 1_000
            await JobQueue.settle()
            #expect(try await center.pendingEntries.isEmpty)
            #expect(await anna.contents.entries.map(\.entry.program) == ["spring", "invite-2026"])
            opening.yield()
            await JobQueue.settle()
            #expect(await anna.contents.requestCount == 3)
            #expect(await anna.contents.entries.count == 2)
            #expect(try await center.pendingEntries.isEmpty)
        }
    }

    @Test("an app that is slow receives the newest entries, and not every list before them")
    func slowReader() async throws {
        try await JobQueue.runToEnd {
            let center = try await started(anna)
            await center.settled()
            var updates = await center.entryUpdates().makeAsyncIterator()
            for user in ["_ben", "_cem", "_dora"] {
                try await sign(user)
                try await center.readEntries()
            }
            #expect(await updates.next()?.count == 3)
        }
    }

    @Test("answers without end are left after a thousand, also if the cursors repeat", arguments: [2, 1_000_000])
    func endless(_ cursors: Int) async throws {
        let guestbook = EndlessGuestbook(cursors: cursors)
        let center = try await started(guestbook)
        await center.settled()
        #expect(await guestbook.count == 1_000)
        try await center.readEntries()
        #expect(await guestbook.count == 2_000)
    }

    @Test("ten thousand people count in a program, and no more")
    func crowd() async throws {
        let center = try await started(CrowdedGuestbook(0..<10_500))
        await center.settled()
        #expect(try await center.entries.count == 10_000)
        let length = try #require(storage.bytes?.count)
        try await center.readEntries()
        #expect(storage.bytes?.count == length)
        #expect(length < 1_000_000)
    }
}
