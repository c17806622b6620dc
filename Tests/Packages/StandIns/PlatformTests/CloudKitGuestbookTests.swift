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
        stage = CloudStage.named(name)
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

    @Test("all pages are read")
    func pages() async throws {
        for number in 0..<250 { try await sign("_\(number)") }
        let count = stage.requests.count
        #expect(try await guestbook.records(for: "4F7K-9Q2M-XRKQ", after: nil).records.count == 250)
        #expect(stage.requests.dropFirst(count) == ["query", "cursor", "cursor"])
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

    // MARK: Together

    @Test("iCloud's key-value store has the codes of all devices")
    func codes() {
        let (store, codes) = (NSUbiquitousKeyValueStore.default, UbiquitousCodes())
        codes.save("4F7K-9Q2M-XRKQ")
        #expect(codes.load() == "4F7K-9Q2M-XRKQ")
        #expect(store.string(forKey: "ReferralBridge.inviteCodes") == "4F7K-9Q2M-XRKQ")
        store.receive("4F7K-9Q2M-XRKQ 7YBQ-0M3T-AE98", forKey: "ReferralBridge.inviteCodes")
        #expect(codes.load() == "4F7K-9Q2M-XRKQ 7YBQ-0M3T-AE98")
        store.set(nil, forKey: "ReferralBridge.inviteCodes")
    }
}
