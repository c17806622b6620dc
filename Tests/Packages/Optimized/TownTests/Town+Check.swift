import CloudKit
import ReferralInvitations
import Unlocks

/// What everybody is owed once the month is over.
extension Town {
    func check() {
        for record in cloud.records { check(record) }
        for person in people {
            for phone in person.phones where phone.installation != nil { check(phone) }
        }
    }

    /// The entries in the guestbook are those that people owed, and what was forged.
    private func check(_ record: CloudStage.Stored) {
        guard !forged.contains(record.name) else { return }
        let dues = people.first { $0.account == record.creator }?.dues ?? []
        let entry = GuestbookEntry(
            program: record.values["program"] as? String ?? "",
            referrer: record.values["referrer"] as? String ?? "",
            event: record.values["event"] as? String ?? "",
            day: record.values["day"] as? Date ?? .distantPast
        )
        if !dues.contains(where: { $0.owed[entry.program] == entry }) {
            violate("\(record.creator ?? "") has signed \(entry), and didn't owe it")
        }
    }

    private func check(_ phone: Phone) {
        let name = phone.person.account
        guard let installation = phone.installation, let app = phone.app, phone.code() != nil,
            case .success(let codes)? = phone.call({ [dues = installation.dues] in await $0.own(dues.codes) }).result,
            case .success(let entries)? = phone.call({ try await $0.entries }).result,
            case .success(let pending)? = phone.call({ try await $0.pendingEntries }).result
        else { return violate("\(name): the app doesn't run") }
        let dues = installation.dues
        if codes != dues.codes { violate("\(name): the codes are \(codes), and should be \(dues.codes)") }
        check(name, entries, for: codes, of: phone.person)
        check(name, pending, dues, of: phone.person)
        if installation.welcomes.sorted() != installation.dueWelcomes.sorted() {
            violate("\(name): the welcomes are \(installation.welcomes), and should be \(installation.dueWelcomes)")
        }
        let counts = Dictionary(grouping: entries, by: \.program).mapValues(\.count)
        check(name, app.unlocks, "silver", min(3, (counts["invite-2026"] ?? 0) / 2))
        check(name, app.unlocks, "copper", 5 * min(2, counts["spring"] ?? 0))
        if app.unlocks.state(of: "gold").isUnlocked != (installation.hasClaimed && installation.hasBoard) {
            violate("\(name): gold is \(app.unlocks.state(of: "gold"))")
        }
    }

    private func check(_ name: String, _ unlocks: UnlockCenter, _ unlock: UnlockID, _ count: Int) {
        let balance = unlocks.balance(of: unlock)
        // The town's store never answers, so nobody knows that there is nothing.
        if balance != .left(count), count > 0 || balance != .unknown {
            violate("\(name): has \(balance) of \(unlock), not \(count)")
        }
    }

    /// Each record for one of the codes counts once, and nobody takes it back.
    private func check(_ name: String, _ entries: [InvitationEntry], for codes: Set<String>, of person: Person) {
        let ids = entries.map(\.id)
        counted += ids.count
        if Set(ids).count != ids.count { violate("\(name): an entry counts twice") }
        let present = Set(cloud.records.filter { counts($0, for: codes, of: person) }.map(\.name))
        let past = Set(former.filter { counts($0, for: codes, of: person) }.map(\.name))
        let lacking = present.subtracting(changed).subtracting(ids)
        if !lacking.isEmpty { violate("\(name): lacks \(lacking)") }
        let excess = Set(ids).subtracting(present).subtracting(past)
        if !excess.isEmpty { violate("\(name): isn't owed \(excess)") }
    }

    private func counts(_ record: CloudStage.Stored, for codes: Set<String>, of person: Person) -> Bool {
        guard let creator = record.creator, let program = record.values["program"] as? String,
            let referrer = record.values["referrer"] as? String
        else { return false }
        // The vectors check the names.
        return creator != person.account && codes.contains(referrer) && record.values["format"] as? Int == 1
            && Self.programs.contains { $0.name == program }
            && record.name == GuestbookRecord.name(creator: creator, program: program)
    }

    /// What is owed is signed, or waits for an account.
    private func check(_ name: String, _ pending: [GuestbookEntry], _ dues: Dues, of person: Person) {
        for (program, entry) in dues.owed where !dues.codes.contains(entry.referrer) {
            guard !dues.mayBeGivenUp.contains(program) else { continue }
            let record = GuestbookRecord.name(creator: person.account, program: program)
            if person.isSignedIn {
                let all = cloud.records + former
                if !all.contains(where: { $0.name == record }) { violate("\(name): owes \(entry)") }
            } else if !pending.contains(entry) {
                violate("\(name): nothing waits for an account")
            }
        }
        if person.isSignedIn, !pending.isEmpty { violate("\(name): \(pending) waits") }
    }
}

private extension InviteCenter {
    /// Those of some codes that are the user's own.
    func own(_ codes: Set<String>) -> Set<String> { codes.filter(isOwn) }
}
