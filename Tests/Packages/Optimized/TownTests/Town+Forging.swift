import CloudKit
import Foundation
import ReferralInvitations
import SimulatedRuntime

/// What people do with a modified app: they choose everything in a record but its creator.
extension Town {
    func forge(_ person: Person) {
        guard let phone = person.phones.first(where: { $0.app != nil }), person.isSignedIn else {
            if !isCalm { clock.after(Self.day / 4) { self.forge(person) } }
            return
        }
        let (own, all) = (phone.installation?.dues.codes ?? [], cloud.records)
        let friends = people.flatMap { $0.dues.flatMap(\.codes) }.sorted()
        guard let code = own.min() ?? dice.pick(friends) else { return }
        // For oneself, or somebody else.
        func anybody() -> String { dice.chance(0.5) ? code : dice.pick(friends) ?? code }
        var records = (0..<30).map { number in
            CKRecord.arrival("forged-\(person.account)-\(number)", for: anybody())
        }
        // Under the names of others, who haven't signed in this program yet.
        for other in all.compactMap(\.creator).filter({ $0 != person.account }).prefix(2) {
            let name = GuestbookRecord.name(creator: other, program: "spring")
            records.append(.arrival(name, for: anybody(), "spring"))
        }
        // Under the own name: what an account can do once.
        func name(_ program: String) -> String { GuestbookRecord.name(creator: person.account, program: program) }
        records.append(.arrival(name("invite-2026"), for: anybody()))
        let strange = CKRecord.arrival(name("\u{0}\u{202E}x"), for: anybody(), "\u{0}\u{202E}x")
        strange["event"] = String(repeating: "x", count: 10_000)
        strange["day"] = Date.distantFuture
        records.append(strange)
        let newer = CKRecord.arrival(name("spring"), for: anybody(), "spring")
        newer["format"] = 2
        records.append(newer)
        // Somebody else's.
        if let other = all.first(where: { $0.creator != person.account }) {
            records.append(.arrival(other.name, for: code))
        }
        forged.formUnion(records.map(\.recordID.recordName))
        nonisolated(unsafe) let saved = records
        let database = CKContainer(phone.stage).publicCloudDatabase
        phone.stage.connection = nil
        for policy in [CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged, .changedKeys] {
            Task {
                _ = try? await database.modifyRecords(
                    saving: saved,
                    deleting: [],
                    savePolicy: policy,
                    atomically: false
                )
            }
        }
        JobQueue.drain()
        let referrers = Dictionary(
            uniqueKeysWithValues: cloud.records.map { ($0.name, $0.values["referrer"] as? String) }
        )
        for record in all where referrers[record.name] != record.values["referrer"] as? String {
            if record.creator != person.account {
                violate("\(person.account) has changed the entry of \(record.creator ?? "")")
            }
            changed.insert(record.name)
            former.append(record)
        }
    }

    func removeEntries(of person: Person) {
        former += cloud.records.filter { $0.creator == person.account }
        cloud.records.removeAll { $0.creator == person.account }
    }
}

extension CKRecord {
    /// A record as any app can write it.
    static func arrival(_ name: String, for referrer: String, _ program: String = "invite-2026") -> CKRecord {
        let record = CKRecord(recordType: "Arrival", recordID: CKRecord.ID(recordName: name))
        (record["program"], record["referrer"], record["event"]) = (program, referrer, "first-board")
        (record["day"], record["format"]) = (Date(timeIntervalSince1970: 1_795_219_200), 1)
        return record
    }
}
