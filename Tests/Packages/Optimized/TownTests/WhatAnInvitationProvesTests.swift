import CloudKit
import Foundation
import ReferralBridge
import ReferralInvitations
import Testing

/// What somebody can do who has changed the app. The article *The guestbook* lists what isn't prevented.
///
/// A modified app writes any record, under any name. Only its creator is CloudKit's. The town has people who write strange records.
struct WhatAnInvitationProvesTests {
    private let cloud = CloudStage.empty()
    private let time = SetClock()
    private let anna = "4F7K-9Q2M-XRKQ"
    private let program = InviteProgram("invite-2026", event: "first-board")

    // MARK: One account

    @Test("an account signs once in a program, on all its phones")
    func oneEntryPerAccount() async throws {
        for _ in 0..<3 {
            let ben = try await app(of: "_ben")
            try await ben.record(arrival(from: anna))
            try await ben.recordEvent("first-board")
            await ben.settled()
            #expect(try await ben.pendingEntries.isEmpty)
        }
        #expect(cloud.records.count == 1)
        #expect(try await counted(for: anna, by: "_anna").count == 1)
    }

    // MARK: Names and creators

    @Test("an entry under somebody else's name counts for nobody, and keeps that person from signing")
    func nameOfAnother() async throws {
        try await save(record(creator: "_ben", for: anna), by: "_eve")
        let ben = try await app(of: "_ben")
        try await ben.record(arrival(from: anna))
        try await ben.recordEvent("first-board")
        await ben.settled()
        #expect(try await ben.pendingEntries.isEmpty)
        #expect(try await counted(for: anna, by: "_anna").isEmpty)
    }

    @Test("an entry that is removed, or names somebody else later, counts once for each inviter whose app saw it")
    func changedEntry() async throws {
        let (carl, phone) = ("7YBQ-0M3T-AE98", try await app(of: "_anna", codes: anna))
        try await save(record(creator: "_eve", for: anna), by: "_eve")
        try await phone.readEntries()
        cloud.records = []
        try await phone.readEntries()
        #expect(try await phone.entries.count == 1)
        try await save(record(creator: "_eve", for: anna), by: "_eve")
        try await phone.readEntries()
        #expect(try await phone.entries.count == 1)
        try await save(record(creator: "_eve", for: carl), by: "_eve", .changedKeys)
        try await phone.readEntries()
        #expect(try await phone.entries.count == 1)
        #expect(try await counted(for: carl, by: "_carl").count == 1)
    }

    // MARK: Newcomers

    @Test(
        "after a reinstallation the store's date tells that a person isn't a newcomer; without it, an account signs once"
    )
    func reinstallation() async throws {
        let purchase = Date(timeIntervalSince1970: time.milliseconds / 1_000)
        time.milliseconds += 30 * 86_400_000
        let ben = try await app(of: "_ben", purchase: purchase)
        #expect(try await ben.record(arrival(from: anna)) == false)
        let other = try await app(of: "_ben")
        #expect(try await other.record(arrival(from: anna)))
    }

    @Test("a clock that is set back makes a person a newcomer again, and the account still signs once")
    func clockSetBack() async throws {
        let ben = try await app(of: "_ben")
        time.milliseconds += 30 * 86_400_000
        #expect(try await ben.record(arrival(from: anna)) == false)
        time.milliseconds -= 30 * 86_400_000
        #expect(try await ben.record(arrival(from: anna)))
        try await ben.recordEvent("first-board")
        await ben.settled()
        #expect(cloud.records.map(\.name) == [name("_ben")])
    }
}

// MARK: - Accounts, and what they write

private extension WhatAnInvitationProvesTests {
    func phone(of account: String) -> CKContainer {
        let stage = cloud.another()
        stage.account = .available(account)
        return CKContainer(stage)
    }

    /// An unmodified app, just installed.
    func app(of account: String, codes: String? = nil, purchase: Date? = nil) async throws -> InviteCenter {
        let process = AppProcess(TownClock()) {}
        let dues = Dues(purchase: nil) { _ in }
        let time = time
        let center = InviteCenter(
            CloudKitGuestbook(container: phone(of: account)),
            [program],
            ProcessStorage(InvitesFile(), process, dues),
            codes.map(SavedCodes.init),
            nil,
            { purchase },
            DeviceClock(now: { Timestamp(milliseconds: time.milliseconds) }, sleep: { _ in })
        )
        try await center.start()
        await center.settled()
        return center
    }

    /// The identifiers of the entries that count for the person with a code.
    func counted(for code: String, by account: String) async throws -> [String] {
        let center = try await app(of: account, codes: code)
        try await center.readEntries()
        return try await center.entries.map(\.id)
    }

    func arrival(from referrer: String) throws -> ReferralBasics.Arrival {
        let now = Timestamp(milliseconds: time.milliseconds)
        return ReferralBasics.Arrival(try Referral(referrer: referrer, timestamp: now), road: .typed)
    }

    func name(_ creator: String) -> String { GuestbookRecord.name(creator: creator, program: program.name) }

    func record(creator: String, for referrer: String) -> CKRecord { .arrival(name(creator), for: referrer) }

    func save(
        _ record: CKRecord,
        by account: String,
        _ policy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged
    ) async throws {
        let results = try await phone(of: account).publicCloudDatabase.modifyRecords(
            saving: [record],
            deleting: [],
            savePolicy: policy,
            atomically: false
        )
        _ = try results.saveResults[record.recordID]?.get()
    }
}

/// A clock that a test sets.
private final class SetClock: @unchecked Sendable {
    /// Only one task uses it at a time.
    var milliseconds = 1_795_219_200_000.0
}

/// Codes that are in iCloud.
private struct SavedCodes: SharedCodes {
    let text: String

    func load() -> String? { text }
    func save(_ text: String) {}
}
