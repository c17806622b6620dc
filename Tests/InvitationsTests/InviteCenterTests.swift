import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

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

    @Test("a code is made once, and is on the disk before anybody sees it")
    func codeOnce() async throws {
        let center = try await launched()
        storage.isFailing = true
        await #expect(throws: InvitesError.storage("the disk is full")) { try await center.code() }
        storage.isFailing = false
        let code = try await center.code()
        #expect(try await center.code() == code)
        #expect(try await launched().code() == code)
    }

    @Test("a new phone has the code of the old one")
    func newPhone() async throws {
        let codes = MemoryCodes()
        let code = try await launched(codes: codes).code()
        storage.bytes = nil
        #expect(try await launched(codes: codes).code() == code)
    }

    @Test(
        "of two devices with a code each, both keep the smaller one, and both codes are the person's",
        arguments: [0, 1]
    )
    func twoCodes(_ first: Int) async throws {
        try await JobQueue.runToEnd {
            let texts = ["4F7K-9Q2M-XRKQ", "7YBQ-0M3T-AE98"]
            let codes = MemoryCodes(texts[first])
            let center = try await launched(codes: codes)
            #expect(try await center.code().text == texts[first])
            // The other device doesn't know of this one's code yet.
            codes.receive(texts[1 - first])
            await JobQueue.settle()
            #expect(try await center.otherCodes.count == 1)
            #expect(try await center.code().text == texts[0])
            #expect(try await center.otherCodes.map(\.text) == [texts[1]])
            #expect(codes.load() == texts.joined(separator: " "))
            for text in texts { #expect(await center.isOwn(text.lowercased())) }
        }
    }

    @Test("what isn't a code in iCloud is skipped")
    func strangeCodes() async throws {
        let codes = MemoryCodes("4F7K-9Q2M-XRKQ hello 4F7K-9Q2M-XRKX")
        let center = try await launched(codes: codes)
        #expect(try await center.code().text == "4F7K-9Q2M-XRKQ")
        #expect(try await center.otherCodes.isEmpty)
    }

    // MARK: Signing

    @Test("an event that can't be saved is an error, nothing is signed, and the next try counts")
    func eventOnFullDisk() async throws {
        let center = try await launched()
        try await center.record(from: "ben")
        storage.isFailing = true
        await #expect(throws: InvitesError.self) { try await center.recordEvent("first-board") }
        await center.settled()
        #expect(await anna.contents.entries.isEmpty)
        storage.isFailing = false
        try await center.recordEvent("first-board")
        await center.settled()
        #expect(await anna.contents.entries.map(\.entry.referrer) == ["ben"])
    }

    @Test("an arrival that can't be saved is an error, and doesn't count")
    func arrivalOnFullDisk() async throws {
        let center = try await launched()
        storage.isFailing = true
        await #expect(throws: InvitesError.self) { try await center.record(from: "ben") }
        storage.isFailing = false
        try await center.recordEvent("first-board")
        #expect(try await center.pendingEntries.isEmpty)
    }

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

    /// The pauses so far. A request has a deadline of 15 minutes, too.
    private var pauses: [Double] { clock.sleeps.filter { $0 != 900 } }

    @Test("without a connection, the pauses grow to an hour, and then it is signed once")
    func growingPause() async throws {
        try await JobQueue.runToEnd {
            await anna.change { $0.failure = .offline }
            let center = try await launched()
            try await center.record(from: "ben")
            try await center.recordEvent("first-board")
            await center.settled()
            for count in 1...15 {
                await JobQueue.settle()
                #expect(pauses.count == count)
                let pause = try #require(pauses.last)
                clock.milliseconds += pause * 1_000 - 1
                #expect(await anna.contents.requestCount == count)
                clock.milliseconds += 1
                await JobQueue.settle()
                #expect(await anna.contents.requestCount == count + 1)
                await center.settled()
            }
            await JobQueue.settle()
            #expect(pauses.count == 16)
            #expect(pauses.prefix(13) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600])
            #expect(pauses.dropFirst(13).allSatisfy { $0 == 3_600 })
            await anna.change { $0.failure = nil }
            clock.milliseconds += 3_600_000
            await JobQueue.settle()
            #expect(try await center.pendingEntries.isEmpty)
            #expect(await anna.contents.entries.count == 1)
            clock.milliseconds += 7_200_000
            await center.settled()
            #expect(await anna.contents.requestCount == 17)
        }
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

    /// Begins to read the records for two codes, and gets an answer to a signature before that goes on.
    private func launchedWhileSigning(_ answer: GuestbookError, then next: GuestbookError?) async throws -> InviteCenter
    {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let center = try await launched(codes: MemoryCodes("4F7K-9Q2M-XRKQ 7YBQ-0M3T-AE98"))
        try await center.record(from: "ben")
        let (beginning, begin) = AsyncStream.makeStream(of: Void.self)
        await anna.change { contents in
            contents.delay = {
                begin.yield()
                for await _ in gate { return }
            }
        }
        clock.milliseconds += 900_000
        let reading = Task { try await center.readEntriesIfDue() }
        for await _ in beginning { break }
        await anna.change { ($0.delay, $0.failure) = (nil, answer) }
        let count = await anna.contents.requestCount
        try await center.recordEvent("first-board")
        await JobQueue.settle()
        #expect(await anna.contents.requestCount == count + 1)
        await anna.change { $0.failure = next }
        opening.yield()
        _ = await reading.result
        await center.settled()
        #expect(await anna.contents.requestCount == count + 2)
        return center
    }

    @Test("a pause that comes while the guestbook is read holds for the rest of the reading")
    func pauseWhileReading() async throws {
        try await JobQueue.runToEnd {
            let center = try await launchedWhileSigning(.retryAfter(3_600), then: nil)
            await #expect(throws: InvitesError.guestbook(.retryAfter(3_600))) { try await center.readEntries() }
        }
    }

    @Test("of two pauses that the guestbook asks for, the one that ends later counts")
    func twoPauses() async throws {
        try await JobQueue.runToEnd {
            let center = try await launchedWhileSigning(.retryAfter(3_600), then: .retryAfter(1))
            await #expect(throws: InvitesError.guestbook(.retryAfter(3_600))) { try await center.readEntries() }
        }
    }

    @Test("a pause of not a number, or below zero, is none", arguments: [Double.nan, -1])
    func strangePause(_ seconds: Double) async throws {
        let center = try await launched()
        try await center.record(from: "ben")
        await anna.change { $0.failure = .retryAfter(seconds) }
        try await center.recordEvent("first-board")
        await center.settled()
        await anna.change { $0.failure = nil }
        #expect(try await launched().pendingEntries.isEmpty)
    }

    @Test("a clock that was set back doesn't make a pause longer")
    func clockSetBack() async throws {
        let center = try await launched()
        try await center.record(from: "ben")
        await anna.change { $0.failure = .retryAfter(3_600) }
        try await center.recordEvent("first-board")
        await center.settled()
        await anna.change { $0.failure = nil }
        clock.milliseconds -= 86_400_000
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

    @Test("a store that never answers keeps nobody from signing")
    func silentStore() async throws {
        try await JobQueue.runToEnd {
            let center = InviteCenter(
                anna,
                [.test],
                storage,
                nil,
                nil,
                {
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    return nil
                },
                clock.clock
            )
            try await center.start()
            try await center.record(from: "ben")
            try await center.recordEvent("first-board")
            await JobQueue.settle()
            #expect(await anna.contents.entries.count == 1)
        }
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

    @Test("two people invite each other's friend, and each counts once, on every page and after a launch")
    func counting() async throws {
        try await sign(["_ben", "_cem", "_dora", "_eva", "_fay"])
        await anna.change { $0.pageLength = 2 }
        let center = try await launched(codes: codes)
        #expect(try await center.entries.count == 5)
        await anna.change { $0.answersTwice = true }
        try await center.readEntries()
        #expect(try await center.entries.count == 5)
        try await sign(["_gus"])
        let next = try await launched(codes: codes)
        try await next.readEntries()
        #expect(try await next.entries.count == 6)
        #expect(try await next.entries.first?.id == GuestbookRecord.name(creator: "_ben", program: "invite-2026"))
    }

    @Test("a record that is found minutes later counts then")
    func foundLater() async throws {
        try await sign(["_ben", "_cem"])
        await anna.change { $0.hiddenCount = 1 }
        let center = try await launched(codes: codes)
        #expect(try await center.entries.count == 1)
        await anna.change { $0.hiddenCount = 0 }
        try await center.readEntries()
        #expect(try await center.entries.count == 2)
    }

    @Test("nobody can have come by a person without a code, so nothing is read")
    func nothingToRead() async throws {
        let center = try await launched()
        try await center.readEntries()
        #expect(await anna.contents.requestCount == 0)
    }

    @Test("without a view, the guestbook is read once in 15 minutes, over launches too")
    func readingInterval() async throws {
        _ = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 1)
        clock.milliseconds += 899_999
        try await launched(codes: codes).readEntriesIfDue()
        #expect(await anna.contents.requestCount == 1)
        clock.milliseconds += 1
        _ = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 2)
    }

    @Test("while the guestbook can't be reached, it is asked once in 15 minutes too, and the next launch asks again")
    func readingOffline() async throws {
        await anna.change { $0.failure = .offline }
        let center = try await launched(codes: codes)
        try await center.readEntriesIfDue()
        #expect(await anna.contents.requestCount == 1)
        await #expect(throws: InvitesError.guestbook(.offline)) { try await center.readEntries() }
        _ = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 3)
    }

    @Test("two views that appear at once read once")
    func readingTwice() async throws {
        let center = try await launched(codes: codes)
        clock.milliseconds += 900_000
        async let first: Void = center.readEntries()
        async let second: Void = center.readEntries()
        _ = try await (first, second)
        #expect(await anna.contents.requestCount <= 3)
    }

    @Test("the user's name is asked for only if there are records")
    func userName() async throws {
        let center = try await launched(codes: codes)
        #expect(await anna.contents.requestCount == 1)
        try await sign(["_ben"])
        let count = await anna.contents.requestCount
        try await center.readEntries()
        #expect(await anna.contents.requestCount == count + 2)
    }

    @Test("entries that can't be saved don't count, and are read again")
    func countingOnFullDisk() async throws {
        let center = try await launched(codes: codes)
        try await sign(["_ben"])
        storage.isFailing = true
        await #expect(throws: InvitesError.storage("the disk is full")) { try await center.readEntries() }
        #expect(try await center.entries.isEmpty)
        storage.isFailing = false
        try await center.readEntries()
        #expect(try await center.entries.count == 1)
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
        struct SignedOut: Guestbook {
            let book: InMemoryGuestbook
            func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer { throw .notSignedIn }
            func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
                try await book.records(for: referrer, after: nil)
            }
            func myself() async throws(GuestbookError) -> String { throw .notSignedIn }
        }
        try await sign(["_anna", "_ben"])
        #expect(try await launched(codes: codes).entries.count == 1)
        let center = InviteCenter(SignedOut(book: anna), storage, codes: codes, clock: clock)
        try await center.start()
        try await center.readEntries()
        #expect(try await center.entries.count == 1)
    }

    @Test("an app gets all entries at each launch, and all of them each time there are more")
    func updates() async throws {
        try await sign(["_ben"])
        let center = try await launched(codes: codes)
        var updates = await center.entryUpdates().makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        try await sign(["_cem"])
        try await center.readEntries()
        #expect(await updates.next()?.count == 2)
    }

    // MARK: The file

    @Test("a damaged file is kept aside, and its user isn't a newcomer again", arguments: ["", "{", "{\"format\":1}"])
    func damagedFile(_ text: String) async throws {
        storage.bytes = Array(text.utf8)
        let center = try await launched()
        #expect(storage.keptAside == [Array(text.utf8)])
        try await center.record(from: "ben")
        try await center.recordEvent("first-board")
        #expect(try await center.pendingEntries.isEmpty)
    }

    @Test("a newer app's file remains as it is")
    func newerFile() async throws {
        let bytes = Array("{\"format\":2}".utf8)
        storage.bytes = bytes
        let center = InviteCenter(anna, storage, clock: clock)
        await #expect(throws: InvitesError.newerFormat) { try await center.start() }
        await #expect(throws: InvitesError.newerFormat) { try await center.record(from: "ben") }
        await #expect(throws: InvitesError.newerFormat) { try await center.code() }
        #expect(storage.bytes == bytes)
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
