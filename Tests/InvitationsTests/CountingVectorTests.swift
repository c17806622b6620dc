import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

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

/// What is counted, and what it earns in a shop.
@MainActor
struct CountingVectorTests {
    /// How often the shop has granted each reward.
    @MainActor
    private final class Grants {
        private var deliveries: Set<Delivery> = []

        func add(_ delivery: Delivery) { deliveries.insert(delivery) }

        var counts: [String: Int] { Dictionary(grouping: deliveries) { $0.reward?.rawValue ?? "" }.mapValues(\.count) }
    }

    private static func catalog(_ rewards: [JSONText]) throws -> ShopCatalog {
        let list = rewards.map(\.text).joined(separator: ",")
        return try ShopCatalog(json: Data(#"{"format":1,"revision":1,"items":[],"rewards":[\#(list)]}"#.utf8))
    }

    @Test("what counts is what the reference counts, and earns what it earns", arguments: InviteVectors.all.counting)
    func counting(_ vector: InviteVectors.Counting) throws {
        try JobQueue.runToEnd {
            let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (storage, clock, grants) = (MemoryStorage(), TestClock(.firstLaunch), Grants())
            let guestbook = AnsweringGuestbook(user: vector.myself)
            let programs = Set(vector.steps.flatMap { ($0.entries ?? []).map(\.program) })
            let unlocks = UnlockCenter(
                store: ScriptedStore(products: []),
                catalog: try Self.catalog(vector.rewards),
                folder: folder,
                context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
                clock: clock.clock
            ) { delivery in grants.add(delivery) }
            unlocks.start()
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
            var center = try await launch()
            for step in vector.steps {
                switch step.action {
                case "take":
                    await guestbook.answer((step.entries ?? []).map(\.record))
                    try await center.readEntries()
                case "relaunch":
                    await guestbook.answer([])
                    center = try await launch()
                default: await unlocks.use(try Self.catalog(step.rewards ?? []))
                }
                await center.settled()
                try await unlocks.count(try await center.entries)
            }
            await JobQueue.settle()
            #expect(grants.counts == vector.granted)
        }
    }

    @Test("a reward that can't be is left out, for the reference's reason", arguments: InviteVectors.all.counting)
    func rejected(_ vector: InviteVectors.Counting) throws {
        let paths = try Self.catalog(vector.rewards).rejections.map(\.path)
        #expect(paths == vector.rejected.map { "rewards[\($0.index)]" + ($0.member.map { ".\($0)" } ?? "") })
    }

    @Test("a record's name is the reference's", arguments: InviteVectors.all.recordNames)
    func names(_ vector: InviteVectors.RecordName) {
        #expect(GuestbookRecord.name(creator: vector.user, program: vector.program) == vector.recordName)
    }
}
