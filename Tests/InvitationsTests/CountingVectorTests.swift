import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

/// What is counted, and what it earns in a shop.
@MainActor
struct CountingVectorTests {
    @MainActor private final class Records { var now: [GuestbookRecord] = [] }
    private let place = TemporaryFolder("counting")

    private static func catalog(_ rewards: [JSONText]) throws -> ShopCatalog {
        let list = rewards.map(\.text).joined(separator: ",")
        return try ShopCatalog(json: Data(#"{"format":1,"revision":1,"items":[],"rewards":[\#(list)]}"#.utf8))
    }

    @Test("what counts is what the reference counts, and earns what it earns", arguments: InviteVectors.all.counting)
    func counting(_ vector: InviteVectors.Counting) throws {
        try JobQueue.runToEnd {
            let (storage, codes, clock) = (MemoryStorage(), MemoryCodes("4F7K-9Q2M-XRKQ"), TestClock(.firstLaunch))
            nonisolated(unsafe) var grants: Set<Delivery> = []
            let records = Records()
            let guestbook = AnsweringGuestbook(user: vector.myself) { GuestbookPage(await records.now, cursor: nil) }
            let entries = vector.steps.flatMap { $0.entries ?? [] }
            let programs = Array(Set(entries.map { InviteProgram($0.program, event: "first-board") }))
            let unlocks = UnlockCenter(
                store: ScriptedStore(products: []),
                catalog: try Self.catalog(vector.rewards),
                folder: place.url,
                context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
                clock: clock.clock
            ) { delivery in grants.insert(delivery) }
            unlocks.start()
            func launch() async throws -> InviteCenter {
                let center = InviteCenter(guestbook, storage, programs: programs, codes: codes, clock: clock)
                try await center.start()
                return center
            }
            var center = try await launch()
            for step in vector.steps {
                switch step.action {
                case "take":
                    records.now = (step.entries ?? []).map(\.record)
                    try await center.readEntries()
                case "relaunch":
                    records.now = []
                    center = try await launch()
                default: await unlocks.use(try Self.catalog(step.rewards ?? []))
                }
                await center.settled()
                try await unlocks.count(try await center.entries)
            }
            await JobQueue.settle()
            #expect(Dictionary(grouping: grants) { $0.reward?.rawValue ?? "" }.mapValues(\.count) == vector.granted)
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
