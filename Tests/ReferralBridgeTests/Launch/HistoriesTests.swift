import Foundation
import ReferralBridge
import TestSupport
import Testing

/// A simulated iPhone, and whatever may happen to it between a tap and the app.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others, with `POLICY=firstLaunch` all with this policy. By the hundred thousand they run optimized, in `Tests/Packages/Optimized`.
@Suite(.serialized)
@MainActor
struct HistoriesTests {
    @Test("no history loses a referral, reports one twice, asks a person too often, or reads in the background")
    func random() async throws {
        let seeds = randomSeeds(2_000, optimized: 100_000)
        let environment = ProcessInfo.processInfo.environment
        let policy = environment["POLICY"].map { SimulatedPolicy(rawValue: $0) }
        var reports = 0
        for seed in seeds {
            // Other tests use the main actor too.
            if seed.isMultiple(of: 50) { await Task.yield() }
            var history = History(seed: seed)
            if let policy { history.policy = try #require(policy, "no such policy") }
            let run = HistoryRun(history)
            let violations = run.violations()
            reports += run.reports
            guard !violations.isEmpty else { continue }

            let shortest = history.shrunk { !HistoryRun($0).violations().isEmpty }
            let reasons = HistoryRun(shortest).violations().joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("histories with the seeds \(seeds): \(reports) referrals reported")
        #expect(reports > seeds.count / 10, "histories in which nothing is reported show nothing")
    }
}
