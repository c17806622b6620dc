import Foundation
import ReferralBridge
import Testing

/// A simulated iPhone, and whatever may happen to it between a tap and the app.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others, with `POLICY=firstLaunch PROBE=copiedByAPage` all with this setting. By the hundred thousand they run optimized, in `Tests/Packages/Optimized`.
@Suite(.serialized)
@MainActor
struct HistoriesTests {
    @Test("no history loses a referral, reports one twice, asks a person too often, or reads in the background")
    func random() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["HISTORIES"].flatMap(UInt64.init) ?? Self.ordinaryCount
        let first = environment["SEED"].flatMap(UInt64.init) ?? 1
        let policy = environment["POLICY"].map { SimulatedPolicy(rawValue: $0) }
        let probe = environment["PROBE"].map { $0 == "copiedByAPage" ? PasteboardProbe.copiedByAPage : .anyAddress }
        var reports = 0
        for seed in first..<first + count {
            // Other tests use the main actor too.
            if seed.isMultiple(of: 50) { await Task.yield() }
            var history = History(seed: seed)
            if let policy { history.policy = try #require(policy, "no such policy") }
            if let probe { history.probe = probe }
            let run = HistoryRun(history)
            let violations = run.violations()
            reports += run.reports
            guard !violations.isEmpty else { continue }

            let shortest = history.shrunk { !HistoryRun($0).violations().isEmpty }
            let reasons = HistoryRun(shortest).violations().joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("\(count) histories from seed \(first): \(reports) referrals reported")
        #expect(reports > count / 10, "histories in which nothing is reported show nothing")
    }

    #if DEBUG
    private static let ordinaryCount: UInt64 = 2_000
    #else
    private static let ordinaryCount: UInt64 = 100_000
    #endif
}
