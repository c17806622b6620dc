import CloudKit
import Foundation
import ReferralBridge
import ReferralInvitations
import TestSupport
import Testing

/// The guestbook in a container, as CloudKit answers. Each test has a container of its own.
struct CloudKitGuestbookTests {
    private let stage: CloudStage
    private let guestbook: CloudKitGuestbook

    init() {
        let name = "iCloud.\(UUID().uuidString)"
        stage = CloudStage(named: name)
        guestbook = CloudKitGuestbook(container: CKContainer(identifier: name))
        stage.account = .available("_anna")
    }

    private let entry = GuestbookEntry(
        program: "invite-2026",
        referrer: "4F7K-9Q2M-XRKQ",
        event: "first-board",
        day: Date(timeIntervalSince1970: 1_795_219_200)
    )

    @discardableResult
    private func sign(_ users: String...) async throws -> [GuestbookAnswer] {
        var answers: [GuestbookAnswer] = []
        for user in users {
            stage.account = .available(user)
            answers.append(try await guestbook.sign(entry))
        }
        stage.account = .available("_anna")
        return answers
    }

    // MARK: Signing

    @Test("a record has its creator's name and all fields")
    func record() async throws {
        #expect(try await sign("_ben") == [.signed])
        let record = try #require(stage.records.first)
        #expect(record.name == GuestbookRecord.name(creator: "_ben", program: "invite-2026"))
        #expect(record.type == "Arrival")
        #expect(record.values["program"] as? String == "invite-2026")
        #expect(record.values["referrer"] as? String == "4F7K-9Q2M-XRKQ")
        #expect(record.values["event"] as? String == "first-board")
        #expect(record.values["day"] as? Date == entry.day)
        #expect(record.values["format"] as? Int == 1)
        #expect(record.values.count == 5)
        #expect(stage.requests == ["userRecordID", "save"])
    }

    @Test("who signs again, as after a reinstallation, has already signed, and the record stays as it was")
    func twice() async throws {
        #expect(try await sign("_ben", "_ben") == [.signed, .alreadySigned])
        #expect(stage.records.count == 1)
        #expect(stage.records.first?.changeTag == 0)
    }

    @Test("a record that was there is reported as a partial failure too")
    func partialFailure() async throws {
        let id = CKRecord.ID(recordName: GuestbookRecord.name(creator: "_anna", program: "invite-2026"))
        stage.recordFailures = [CKError(.partialFailure, partial: [id: CKError(.serverRecordChanged)])]
        #expect(try await guestbook.sign(entry) == .alreadySigned)
        stage.recordFailures = [CKError(.partialFailure, partial: [id: CKError(.requestRateLimited, retryAfter: 7)])]
        await #expect(throws: GuestbookError.retryAfter(7)) { try await guestbook.sign(entry) }
        #expect(stage.records.isEmpty)
    }

    @Test("an account that is missing or isn't ready is for later, and nothing is saved")
    func accounts() async throws {
        for account in [CloudStage.Account.missing, .temporarilyUnavailable] {
            stage.account = account
            await #expect(throws: GuestbookError.notSignedIn) { try await guestbook.sign(entry) }
            await #expect(throws: GuestbookError.notSignedIn) { try await guestbook.myself() }
        }
        #expect(!stage.requests.contains("save"))
    }

    @Test(
        "each error is for later, for the time that CloudKit says, or for the developer",
        arguments: [
            (CKError(.networkUnavailable), GuestbookError.offline), (CKError(.networkFailure), .offline),
            (CKError(.serverResponseLost), .offline), (CKError(.serviceUnavailable), .offline),
            (CKError(.serviceUnavailable, retryAfter: 30), .retryAfter(30)),
            (CKError(.requestRateLimited, retryAfter: 42.5), .retryAfter(42.5)),
            (CKError(.zoneBusy, retryAfter: 3), .retryAfter(3)), (CKError(.zoneBusy), .offline),
            (CKError(.accountTemporarilyUnavailable), .notSignedIn), (CKError(.notAuthenticated), .notSignedIn),
            (CKError(.permissionFailure, "no"), .notAllowed("no")),
            (CKError(.missingEntitlement, "e"), .notAllowed("e")),
            (CKError(.badContainer, "c"), .notAllowed("c")), (CKError(.quotaExceeded, "q"), .failed("q")),
            (CKError(.internalError, "i"), .failed("i")), (CKError(.limitExceeded, "l"), .failed("l")),
            // The code comes before the time.
            (CKError(.notAuthenticated, retryAfter: 0.05), .notSignedIn),
            (CKError(.accountTemporarilyUnavailable, retryAfter: 0.05), .notSignedIn),
            (CKError(.permissionFailure, retryAfter: 3, "no"), .notAllowed("no")),
            (CKError(.networkFailure, retryAfter: 2), .retryAfter(2)),
            (CKError(.internalError, retryAfter: 5, "i"), .retryAfter(5)),
        ]
    )
    func errors(_ error: CKError, _ expected: GuestbookError) async throws {
        stage.recordFailures = [error]
        await #expect(throws: expected) { try await guestbook.sign(entry) }
        stage.failures = [error]
        await #expect(throws: expected) { try await guestbook.myself() }
        #expect(stage.records.isEmpty)
    }

    @Test("what isn't deployed is named")
    func notDeployed() async throws {
        stage.mayCreate = false
        await #expect(throws: GuestbookError.notAllowed("CREATE operation not permitted")) { try await sign("_ben") }
        stage.isDeployed = false
        let message = "Can't create new type Arrival in production schema"
        await #expect(throws: GuestbookError.notAllowed(message)) { try await sign("_ben") }
        await #expect(throws: GuestbookError.notAllowed("Did not find record type: Arrival")) {
            try await guestbook.records(for: "x", after: nil)
        }
    }

    @Test("who isn't signed in to iCloud is asked after pauses that grow, and not as soon as CloudKit's error says")
    func signedOut() async throws {
        stage.account = .missing
        let (clock, folder) = (
            TestClock(), FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let ben = InviteCenter(
            guestbook: guestbook,
            programs: [InviteProgram("invite-2026", event: "first-board")],
            folder: folder,
            clock: clock.clock
        )
        try await ben.start()
        try await ben.record(Arrival(Referral(referrer: "anna"), road: .opened))
        try await ben.recordEvent("first-board")
        // A request has a deadline of 15 minutes, which is waited for while it runs.
        var pauses: [Double] { clock.sleeps.filter { $0 != 900 } }
        var asked: [Int] = []
        for _ in 0..<5 {
            let count = asked.count + 1
            await until("it was asked, and waits") { pauses.count == count && clock.sleeping == 1 }
            asked.append(stage.requests.count)
            clock.endSleeps()
        }
        #expect(asked == [1, 2, 3, 4, 5])
        #expect(pauses.prefix(5) == [1, 2, 4, 8, 16])
    }

    // MARK: Reading

    private func names(_ users: String...) -> Set<String> {
        Set(users.map { GuestbookRecord.name(creator: $0, program: "invite-2026") })
    }

    @Test("everybody reads who came by a code, also without an account, and knows who created a record")
    func reading() async throws {
        try await sign("_ben", "_cem", "_anna")
        let page = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        #expect(Set(page.records.map(\.name)) == names("_ben", "_cem", "_anna"))
        #expect(Set(page.records.map(\.creator)) == ["_ben", "_cem", "__defaultOwner__"])
        #expect(page.records.allSatisfy { $0.program == "invite-2026" })
        #expect(page.records.allSatisfy { $0.format == 1 })
        #expect(page.isLast)
        #expect(try await guestbook.records(for: "7YBQ-0M3T-AE98", after: nil).records.isEmpty)
        stage.account = .missing
        #expect(try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil).records.count == 3)
    }

    @Test("all pages are read, and a smaller one if CloudKit says that a page is too large")
    func pages() async throws {
        for number in 0..<250 { try await sign("_\(number)") }
        let count = stage.requests.count
        #expect(try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil).records.count == 250)
        #expect(stage.requests.dropFirst(count) == ["query", "cursor", "cursor"])
        stage.pageLength = 60
        #expect(try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil).records.count == 250)
        #expect(stage.requests.dropFirst(count + 3) == ["query", "query", "cursor", "cursor", "cursor", "cursor"])
        stage.pageLength = 0
        await #expect(throws: GuestbookError.self) { try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil) }
    }

    @Test("answers without end are left after a thousand, and the next reading begins where this one did")
    func answersWithoutEnd() async throws {
        try await sign("_ben")
        stage.answersHaveEnd = false
        let count = stage.requests.count
        let page = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: "1795219200.0")
        #expect(stage.requests.count == count + 1_000)
        #expect(Set(page.records.map(\.name)) == names("_ben"))
        #expect(page.cursor == "1795219200.0")
        #expect(page.isLast)
    }

    @Test("a stranger's megabyte isn't kept")
    func longProgram() async throws {
        let long = String(repeating: "x", count: 1_000_000)
        let forged = GuestbookEntry(program: long, referrer: entry.referrer, event: "e", day: entry.day)
        _ = try await guestbook.sign(forged)
        let page = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        #expect(page.records.map(\.program) == [""])
    }

    @Test("a record that can't be read fails the reading, so that it isn't passed over")
    func unreadableRecord() async throws {
        try await sign("_ben", "_cem")
        stage.recordFailures = [CKError(.networkFailure)]
        await #expect(throws: GuestbookError.offline) { try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil) }
    }

    @Test("a record that is found minutes after it was created is read, although newer ones were read before")
    func foundLater() async throws {
        stage.indexDelay = 300
        try await sign("_ben")
        stage.indexDelay = 0
        stage.now += 60
        try await sign("_cem")
        let first = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        #expect(Set(first.records.map(\.name)) == names("_cem"))
        stage.now += 300
        let second = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: first.cursor)
        #expect(Set(second.records.map(\.name)) == names("_ben", "_cem"))
        #expect(second.cursor == first.cursor)
    }

    @Test("records from more than a day before the newest known one aren't read again")
    func oldRecords() async throws {
        try await sign("_ben")
        stage.now += 86_401
        try await sign("_cem")
        let first = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        #expect(first.records.count == 2)
        let second = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: first.cursor)
        #expect(Set(second.records.map(\.name)) == names("_cem"))
        #expect(try await guestbook.records(for: "nobody", after: second.cursor).cursor == second.cursor)
    }

    @Test("an index that is missing is named", arguments: ["referrer", "creationDate"])
    func missingIndex(_ field: String) async throws {
        try await sign("_ben")
        let page = try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        stage.queryable.remove(field)
        await #expect(throws: GuestbookError.notAllowed("Field '\(field)' is not marked queryable")) {
            try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: page.cursor)
        }
    }

    // MARK: Together

    @Test("a person invites two others: they sign once, and the person counts them once, and not themself")
    func together() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = InviteProgram("invite-2026", event: "first-board")
        let anna = InviteCenter(guestbook: guestbook, programs: [program], folder: folder)
        try await anna.start()
        let code = try await anna.code()
        for user in ["_ben", "_cem", "_anna"] {
            stage.account = .available(user)
            let entry = GuestbookEntry(program: "invite-2026", referrer: code.text, event: "first-board", day: Date())
            _ = try await guestbook.sign(entry)
        }
        // A modified app signs under other names.
        for name in ["arrival-1", GuestbookRecord.name(creator: "_dora", program: "invite-2026")] {
            var forged = try #require(stage.records.first)
            forged.name = name
            stage.records.append(forged)
        }
        try await anna.readEntries()
        #expect(Set(try await anna.entries.map(\.id)) == names("_ben", "_cem"))
        try await anna.readEntries()
        #expect(try await anna.entries.count == 2)
    }

    @Test("iCloud's key-value store has the codes of all devices")
    func codes() async throws {
        let (store, codes) = (NSUbiquitousKeyValueStore.default, UbiquitousCodes())
        codes.save("4F7K-9Q2M-XRKQ")
        #expect(codes.load() == "4F7K-9Q2M-XRKQ")
        #expect(store.string(forKey: "ReferralBridge.inviteCodes") == "4F7K-9Q2M-XRKQ")
        var changes = codes.changes().makeAsyncIterator()
        store.receive("4F7K-9Q2M-XRKQ 7YBQ-0M3T-AE98", forKey: "ReferralBridge.inviteCodes")
        #expect(await changes.next() != nil)
        #expect(codes.load() == "4F7K-9Q2M-XRKQ 7YBQ-0M3T-AE98")
        store.set(nil, forKey: "ReferralBridge.inviteCodes")
    }
}
