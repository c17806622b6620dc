import Foundation
import TestSupport
import Testing

/// The state of a shop, and whatever may happen around them.
///
/// `HISTORIES=N SEED=S swift test --filter DirectHistories` runs others. By the hundred thousand they run optimized, in
/// `Tests/Packages/Optimized`.
struct DirectHistoriesTests {
    @Test("without a center around the state, nobody pays and doesn't get it, and nothing is given twice")
    func random() {
        let seeds = randomSeeds(300, optimized: 200_000)
        var purchases = 0
        for seed in seeds {
            let history = DirectHistory(seed: seed)
            var shop = DirectShop(history)
            let violations = shop.run()
            purchases += shop.order.count
            guard !violations.isEmpty else { continue }

            let shortest = shrunk(history, \.events) { !DirectShop.violations($0).isEmpty }
            let reasons = DirectShop.violations(shortest).joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("histories of a shop's state with the seeds \(seeds): \(purchases) purchases")
        #expect(purchases > seeds.count / 2, "histories in which nothing is bought show nothing")
    }
}
