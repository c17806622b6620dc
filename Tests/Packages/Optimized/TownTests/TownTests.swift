import Foundation
import Testing

/// A thousand people with phones, and a month.
///
/// `TOWNS=N SEED=S swift test --filter TownTests` runs others.
@Suite(.serialized)
@MainActor
struct TownTests {
    @Test("after a month everybody has what the design owes them, and nobody was ever asked anything twice")
    func month() async {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["TOWNS"].flatMap(UInt64.init) ?? 1
        let first = environment["SEED"].flatMap(UInt64.init) ?? 1
        var counted = 0
        for seed in first..<first + count {
            await Task.yield()
            let town = Town(seed: seed, count: 1_000)
            town.run()
            counted += town.counted
            guard !town.violations.isEmpty else { continue }
            Issue.record("seed \(seed): \(town.violations.prefix(20).joined(separator: "\n"))")
            return
        }
        #expect(counted > 0, "towns in which nobody comes show nothing")
    }
}
