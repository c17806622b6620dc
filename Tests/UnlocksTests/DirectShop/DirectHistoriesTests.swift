import Foundation
import Testing

/// The two states of a shop, and whatever may happen around them.
///
/// `HISTORIES=N SEED=S swift test --filter DirectHistories` runs others. By the million they run optimized, in
/// `Tests/Packages/Optimized`.
struct DirectHistoriesTests {
    @Test("without a center around the states, nobody pays and doesn't get it, and nothing is given twice")
    func random() {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["HISTORIES"].flatMap(UInt64.init) ?? Self.ordinaryCount
        let first = environment["SEED"].flatMap(UInt64.init) ?? 1
        var purchases = 0
        for seed in first..<first + count {
            let history = DirectHistory(seed: seed)
            var shop = DirectShop(history)
            let violations = shop.run()
            purchases += shop.order.count
            guard !violations.isEmpty else { continue }

            let shortest = history.shrunk { !DirectShop.violations($0).isEmpty }
            let reasons = DirectShop.violations(shortest).joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("\(count) histories of a shop's states from seed \(first): \(purchases) purchases")
        #expect(purchases > count / 2, "histories in which nothing is bought show nothing")
    }

    #if DEBUG
    private static let ordinaryCount: UInt64 = 2_000
    #else
    private static let ordinaryCount: UInt64 = 100_000
    #endif
}
