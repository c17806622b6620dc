import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralInvitations

/// What a center keeps, and how often it asks.
struct InviteCenterTests {
    private let storage = MemoryStorage()
    private let clock = TestClock(.firstLaunch)
    private let anna = InMemoryGuestbook(user: "_anna")

    private func launched(
        _ guestbook: InMemoryGuestbook? = nil,
        programs: [InviteProgram] = [.test],
        codes: MemoryCodes? = nil
    ) async throws -> InviteCenter {
        let center = InviteCenter(guestbook ?? anna, storage, programs: programs, codes: codes, clock: clock)
        try await center.start()
        await center.settled()
        return center
    }

    // MARK: Codes

    @Test("a code is made once, is on the disk before anybody sees it, and is a new phone's too")
    func codeOnce() async throws {
        let codes = MemoryCodes()
        let center = try await launched(codes: codes)
        storage.writesLeft = 0
        await #expect(throws: InvitesError.storage("the disk is full")) { try await center.code() }
        storage.writesLeft = .max
        let code = try await center.code()
        #expect(try await center.code() == code)
        #expect(try await launched().code() == code)
        storage.bytes = nil
        #expect(try await launched(codes: codes).code() == code)
    }

    @Test("two devices with a code each show the smaller one, and both are the person's", arguments: [0, 1])
    func twoCodes(_ first: Int) async throws {
        try await JobQueue.runToEnd {
            let texts = ["4F7K-9Q2M-XRKQ", "7YBQ-0M3T-AE98"]
            let codes = MemoryCodes(texts[first])
            let center = try await launched(codes: codes)
            #expect(try await center.code().text == texts[first])
            // The other device doesn't know of this one's code yet.
            codes.save(texts[1 - first])
            #expect(try await center.code().text == texts[0])
            #expect(codes.load() == texts.joined(separator: " "))
            for text in texts { #expect(await center.isOwn(text.lowercased())) }
        }
    }

    @Test("what isn't a code in iCloud is skipped")
    func strangeCodes() async throws {
        let codes = MemoryCodes("4F7K-9Q2M-XRKQ hello 4F7K-9Q2M-XRKX")
        let center = InviteCenter(anna, storage, codes: codes, clock: clock)
        #expect(await center.isOwn("4f7k 9q2m xrkq"), "also before the app has called start")
        #expect(try await center.code().text == "4F7K-9Q2M-XRKQ")
        #expect(codes.load() == "4F7K-9Q2M-XRKQ hello 4F7K-9Q2M-XRKX", "nobody writes what is there already")
        (storage.bytes, storage.writesLeft) = (nil, 0)
        #expect(await InviteCenter(anna, storage, ownReferrer: "4F7K-9Q2M-XRKQ", clock: clock).isOwn("4f7k-9q2m-xrkq"))
    }

    // MARK: Signing

    @Test("a signature that can't be saved isn't asked for again while the app runs, and once more after that")
    func signedOnFullDisk() async throws {
        let center = try await launched()
        try await center.record(from: "ben")
        storage.writesLeft = 1
        try await center.recordEvent("first-board")
        await center.settled()
        try await center.recordEvent("first-board")
        await center.settled()
        #expect(await anna.contents.requestCount == 1)
        storage.writesLeft = .max
        let next = try await launched()
        #expect(await anna.contents.requestCount == 2)
        #expect(await anna.contents.entries.count == 1)
        #expect(try await next.pendingEntries.isEmpty)
    }

    @Test("who came counts once that is on the disk, since somebody is rewarded for it")
    func countedOnFullDisk() async throws {
        let center = try await launched(codes: MemoryCodes("4F7K-9Q2M-XRKQ"))
        try await sign(["_ben"])
        storage.writesLeft = 0
        await #expect(throws: InvitesError.storage("the disk is full")) { try await center.readEntries() }
        #expect(try await center.entries.isEmpty)
        storage.writesLeft = .max
        try await center.readEntries()
        #expect(try await center.entries.count == 1)
    }

    @Test("a pause that a guestbook asks for is kept for reading too, and over a launch, at most for 7 days")
    func requestedPause() async throws {
        let center = try await launched(codes: MemoryCodes("4F7K-9Q2M-XRKQ"))
        try await center.record(from: "ben")
        await anna.change { $0.failure = .retryAfter(.infinity) }
        try await center.recordEvent("first-board")
        await center.settled()
        let count = await anna.contents.requestCount
        await anna.change { $0.failure = nil }
        await #expect(throws: InvitesError.guestbook(.retryAfter(604_800))) { try await center.readEntries() }
        clock.milliseconds += 604_799_999
        #expect(try await launched().pendingEntries.count == 1)
        #expect(await anna.contents.requestCount == count)
        clock.milliseconds += 1
        #expect(try await launched().pendingEntries.isEmpty)
    }

    @Test(
        "after each failure, a guestbook is asked later, up to an hour, whatever shorter pause it asks for",
        arguments: [Double.nan, -1, 0, 0.1]
    )
    func shortPause(_ seconds: Double) async throws {
        try await JobQueue.runToEnd {
            let center = try await launched()
            try await center.record(from: "ben")
            await anna.change { $0.failure = .retryAfter(seconds) }
            try await center.recordEvent("first-board")
            for count in 1...14 {
                await JobQueue.settle()
                #expect(await anna.contents.requestCount == count)
                clock.milliseconds += min(3_600, Double(1 << (count - 1))) * 1_000 - 1
                await JobQueue.settle()
                #expect(await anna.contents.requestCount == count)
                clock.milliseconds += 1
            }
        }
    }

    @Test(
        "no pause is longer than 7 days by a clock that was set back, and none after a refusal than a day",
        arguments: [(GuestbookError.retryAfter(3_600), 8 * 86_400_000.0), (.notAllowed("a test"), 60_000)]
    )
    func clockSetBack(_ failure: GuestbookError, _ milliseconds: Double) async throws {
        let center = try await launched()
        try await center.record(from: "ben")
        await anna.change { $0.failure = failure }
        try await center.recordEvent("first-board")
        await center.settled()
        await anna.change { $0.failure = nil }
        clock.milliseconds -= milliseconds
        #expect(try await launched().pendingEntries.isEmpty)
    }

    @Test("a program that has another event after an update isn't signed a second time, nor while it is pending")
    func otherEvent() async throws {
        await anna.change { $0.failure = .offline }
        let center = try await launched()
        try await center.record(from: "ben")
        try await center.recordEvent("first-board")
        await center.settled()
        let program = InviteProgram("invite-2026", event: "second-board")
        let pending = try await launched(programs: [program])
        try await pending.recordEvent("second-board")
        #expect(try await pending.pendingEntries.map(\.event) == ["first-board"])
        await anna.change { $0.failure = nil }
        let signed = try await launched(programs: [InviteProgram("invite-2026", event: "third-board")])
        let count = await anna.contents.requestCount
        try await signed.recordEvent("third-board")
        await signed.settled()
        #expect(await anna.contents.requestCount == count)
    }

    @Test("of many arrivals the newest ones are kept, and long names aren't")
    func manyArrivals() async throws {
        let center = try await launched()
        for number in 0..<100 { try await center.record(from: "ben-\(number)") }
        try await center.record(from: String(repeating: "x", count: 257))
        try await center.recordEvent("first-board")
        await center.settled()
        #expect(await anna.contents.entries.map(\.entry.referrer) == ["ben-99"])
        #expect((storage.bytes?.count ?? 0) < 4_000)
    }

    // MARK: Counting

    private func sign(_ users: [String], for referrer: String = "4F7K-9Q2M-XRKQ", program: String = "invite-2026")
        async throws
    {
        for user in users {
            let entry = GuestbookEntry(program: program, referrer: referrer, event: "first-board", day: Date())
            _ = try await anna.shared(with: user).sign(entry)
        }
    }

    private var codes: MemoryCodes { MemoryCodes("4F7K-9Q2M-XRKQ") }

    @Test("without a view, the guestbook is read once in 15 minutes, over launches too, and once a clock was set back")
    func readingInterval() async throws {
        _ = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 1)
        clock.milliseconds += 899_999
        try await launched(codes: codes).readEntriesIfDue()
        #expect(await anna.contents.requestCount == 1)
        clock.milliseconds += 1
        _ = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 2)
        clock.milliseconds -= 3_600_000
        _ = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 3)
    }

    @Test("a program that the app has from an update on counts the records from before")
    func laterProgram() async throws {
        try await sign(["_ben"])
        try await sign(["_ben", "_cem"], program: "spring")
        #expect(try await launched(codes: codes).entries.map(\.program) == ["invite-2026"])
        let center = try await launched(programs: [.test, InviteProgram("spring", event: "x")], codes: codes)
        try await center.readEntries()
        #expect(try await center.entries.map(\.program) == ["invite-2026", "spring", "spring"])
    }

    @Test("a user who signed out still doesn't count their own record")
    func ownRecordSignedOut() async throws {
        try await sign(["_anna", "_ben"])
        #expect(try await launched(codes: codes).entries.count == 1)
        let signedOut = AnsweringGuestbook(user: nil) { [anna] () async throws(GuestbookError) in
            try await anna.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        }
        let center = InviteCenter(signedOut, storage, codes: codes, clock: clock)
        try await center.start()
        try await center.readEntries()
        #expect(try await center.entries.count == 1)
    }

    @Test("an app gets all entries once the file is open, and all of them each time there are more", .endsIfHung)
    func updates() async throws {
        storage.writesLeft = 0
        let center = InviteCenter(anna, storage, codes: codes, clock: clock)
        var updates = await center.entryUpdates().makeAsyncIterator()
        storage.writesLeft = .max
        try await center.start()
        await center.settled()
        #expect(await updates.next() == [])
        try await sign(["_ben"])
        try await center.readEntries()
        #expect(await updates.next()?.count == 1)
        updates = await center.entryUpdates().makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
    }

    @Test("answers without end are left after a thousand, also if the cursors repeat")
    func endless() async throws {
        let guestbook = AnsweringGuestbook(user: "_anna") { [anna] in
            await anna.change { $0.requestCount += 1 }
            return GuestbookPage([], cursor: "\(await anna.contents.requestCount % 2)", isLast: false)
        }
        try await InviteCenter(guestbook, storage, codes: codes, clock: clock).readEntries()
        #expect(await anna.contents.requestCount == 1_000)
    }

    @Test("each call hears why its reading has failed, whenever other calls come")
    func failedReading() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let guestbook = AnsweringGuestbook(user: "_anna") { () async throws(GuestbookError) in
            for await _ in gate.stream { break }
            throw .offline
        }
        try await JobQueue.runToEnd {
            let center = InviteCenter(guestbook, storage, codes: codes, clock: clock)
            let reading = Task { try await center.readEntries() }
            await JobQueue.settle()
            gate.continuation.yield()
            for count in 0..<5 {
                Task {
                    for _ in 0..<count { await Task.yield() }
                    try? await center.readEntriesIfDue()
                }
            }
            await #expect(throws: InvitesError.guestbook(.offline)) { try await reading.value }
        }
    }

    @Test("a reading that is complete hasn't failed, also if a signature was answered with a pause meanwhile")
    func completeReading() throws {
        let (moment, record) = (clock.clock.moment, InviteRecord(firstLaunch: .firstLaunch))
        var invites = Invites(record, programs: [.test], ownReferrer: "anna", at: moment)
        _ = try invites.handle(.readingAsked(ifDue: false), at: moment) { _ in }
        invites.requestPause(60)
        _ = try invites.handle(.page(1, .success(GuestbookPage([], cursor: nil))), at: moment) { _ in }
        #expect(invites.reading == nil && invites.readingError == nil)
    }

    // MARK: The file

    @Test("a damaged file is kept aside, and its user isn't a newcomer again", arguments: ["", "{", "{}"])
    func damagedFile(_ text: String) async throws {
        storage.bytes = Array(text.utf8)
        let center = try await launched()
        #expect(storage.keptAside == [Array(text.utf8)])
        try await center.record(from: "ben")
        try await center.recordEvent("first-board")
        #expect(try await center.pendingEntries.isEmpty)
    }

    @Test("what happens twice is written once")
    func writes() async throws {
        let center = try await launched(codes: codes)
        try await center.record(from: "ben")
        try await center.recordEvent("first-board")
        await center.settled()
        let count = storage.writeCount
        try await center.recordEvent("first-board")
        try await center.start()
        await center.settled()
        #expect(storage.writeCount == count)
    }
}
