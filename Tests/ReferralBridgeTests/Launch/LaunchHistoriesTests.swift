import Foundation
import Testing

/// The same histories as in `HistoriesTests`, for the launch alone: no bridge, no tasks, and the process may end between two effects.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others. By the million they run optimized, in `Tests/Packages/Optimized`.
struct LaunchHistoriesTests {
    @Test("a launch loses no referral, reports none twice, asks seldom enough, answers each call, and comes to an end")
    func random() async {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["HISTORIES"].flatMap(UInt64.init) ?? Self.ordinaryCount
        let first = environment["SEED"].flatMap(UInt64.init) ?? 1
        var reports: UInt64 = 0
        for seed in first..<first + count {
            let history = LaunchHistory(seed: seed)
            let run = run(history)
            reports += UInt64(run.reports.count)
            guard !run.violations.isEmpty else { continue }

            let shortest = await history.shrunk { !self.run($0).violations.isEmpty }
            let reasons = self.run(shortest).violations.joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("\(count) histories of a launch from seed \(first): \(reports) referrals reported")
        #expect(reports > count / 2, "histories in which nothing is reported show nothing")
    }

    private func run(_ history: LaunchHistory) -> LaunchWorld {
        var world = LaunchWorld(history)
        world.run()
        return world
    }

    #if DEBUG
    private static let ordinaryCount: UInt64 = 500
    #else
    private static let ordinaryCount: UInt64 = 100_000
    #endif
}
