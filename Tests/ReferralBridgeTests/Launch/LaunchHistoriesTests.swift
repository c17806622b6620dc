import Foundation
import TestSupport
import Testing

/// The same histories as in `HistoriesTests`, for the launch alone: no bridge, no tasks, and the process may end between two effects.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others. By the million they run optimized, in `Tests/Packages/Optimized`.
struct LaunchHistoriesTests {
    @Test("a launch loses no referral, reports none twice, asks seldom enough, answers each call, and comes to an end")
    func random() async {
        let seeds = randomSeeds(500, optimized: 100_000)
        var reports: UInt64 = 0
        for seed in seeds {
            let history = LaunchHistory(seed: seed)
            let run = run(history)
            reports += UInt64(run.reports.count)
            guard !run.violations.isEmpty else { continue }

            let shortest = await history.shrunk { !self.run($0).violations.isEmpty }
            let reasons = self.run(shortest).violations.joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("histories of a launch with the seeds \(seeds): \(reports) referrals reported")
        #expect(reports > seeds.count / 2, "histories in which nothing is reported show nothing")
    }

    private func run(_ history: LaunchHistory) -> LaunchWorld {
        var world = LaunchWorld(history)
        world.run()
        return world
    }
}
