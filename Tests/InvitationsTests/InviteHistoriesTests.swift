import Foundation
import TestSupport
import Testing

/// Random histories of ``Invites`` alone, with ends of the process between any two effects.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others. By the ten thousand they run optimized, in `Tests/Packages/Optimized`.
struct InviteHistoriesTests {
    @Test("invitations count once, nothing that was answered is lost, pauses are kept, and all is signed in the end")
    func random() throws {
        let seeds = randomSeeds(3_000, optimized: 20_000)
        var (signed, counted): (UInt64, UInt64) = (0, 0)
        var tables = InvitesWorld.Tables()
        for seed in seeds {
            let history = InviteHistory(seed: seed)
            let run = run(history, tables)
            tables = run.tables
            signed += UInt64(run.signed.count)
            counted += UInt64(run.count)
            guard !run.violations.isEmpty else { continue }

            let shortest = shrunk(history, \.events) { !self.run($0).violations.isEmpty }
            let reasons = self.run(shortest).violations.joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        for table in [tables.signing, tables.reading] { try table.expect(on: "Invitations.md") }
        print("histories of invitations with the seeds \(seeds): \(signed) signed, \(counted) counted")
        let few = seeds.count / 10
        #expect(signed > few && counted > few, "histories in which nothing happens show nothing")
    }

    private func run(_ history: InviteHistory, _ tables: InvitesWorld.Tables = .init()) -> InvitesWorld {
        var world = InvitesWorld(history, tables)
        world.run()
        return world
    }
}
