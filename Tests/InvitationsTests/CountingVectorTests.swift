import Foundation
import Invitations
import ReferralBridge
import Testing

/// A guestbook that answers with the records of a step.
private actor AnsweringGuestbook: Guestbook {
    let user: String?
    var records: [GuestbookRecord] = []

    init(user: String?) { self.user = user }

    func answer(_ records: [GuestbookRecord]) { self.records = records }

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer { .signed }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        GuestbookPage(records, cursor: nil)
    }

    func myself() async throws(GuestbookError) -> String {
        guard let user else { throw .notSignedIn }
        return user
    }
}

struct CountingVectorTests {
    /// The rewards are granted as the reference states under `due`.
    private struct Grants {
        var rewards: [InviteVectors.Counting.Reward]
        private(set) var counts: [String: Int] = [:]

        init(_ rewards: [InviteVectors.Counting.Reward]) { self.rewards = rewards }

        mutating func update(_ entries: [CountedEntry]) {
            var known: Set<String> = []
            for reward in rewards where reward.isValid && known.insert(reward.id ?? "").inserted {
                let count = entries.count { $0.program == reward.program } / (reward.every ?? 1)
                let total = min(reward.limit ?? 1, count)
                counts[reward.id ?? ""] = max(counts[reward.id ?? ""] ?? 0, total)
            }
        }
    }

    @Test("what counts is what the reference counts", arguments: InviteVectors.all.counting)
    func counting(_ vector: InviteVectors.Counting) async throws {
        let (storage, clock) = (MemoryStorage(), TestClock())
        let guestbook = AnsweringGuestbook(user: vector.myself)
        let programs = Set(vector.steps.flatMap { ($0.entries ?? []).map(\.program) })
        func launch() async throws -> InviteCenter {
            let center = InviteCenter(
                guestbook,
                storage,
                programs: programs.map { InviteProgram($0, event: "first-board") },
                codes: MemoryCodes("4F7K-9Q2M-XRKQ"),
                clock: clock
            )
            try await center.start()
            return center
        }
        var (center, grants) = (try await launch(), Grants(vector.rewards))
        for step in vector.steps {
            switch step.action {
            case "take":
                await guestbook.answer((step.entries ?? []).map(\.record))
                try await center.readEntries()
            case "relaunch":
                await guestbook.answer([])
                center = try await launch()
            default: grants.rewards = step.rewards ?? []
            }
            await center.settled()
            grants.update(try await center.entries)
        }
        #expect(grants.counts.filter { $0.value > 0 } == vector.granted)
    }

    @Test("a record's name is the reference's", arguments: InviteVectors.all.recordNames)
    func names(_ vector: InviteVectors.RecordName) {
        #expect(GuestbookRecord.name(creator: vector.user, program: vector.program) == vector.recordName)
    }
}
