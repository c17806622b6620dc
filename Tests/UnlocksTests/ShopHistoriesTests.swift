import Foundation
import SimulatedRuntime
import TestSupport
import Testing
import Unlocks

/// A simulated shop, and whatever may happen to it.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others. By the ten thousand they run optimized, in `Tests/Packages/Optimized`.
@Suite(.serialized)
@MainActor
struct ShopHistoriesTests {
    @Test("nobody pays and doesn't get it, nothing is given twice, and nothing is taken away without a reason")
    func random() async {
        let seeds = randomSeeds(100, optimized: 30_000)
        var (purchases, requests, resumptions, questions) = (0, 0, 0, 0)
        for seed in seeds {
            // Other tests use the main actor too.
            if seed.isMultiple(of: 50) { await Task.yield() }
            let history = ShopHistory(seed: seed)
            let run = ShopHistoryRun(history)
            run.run()
            purchases += run.purchases
            requests += run.shop.web.calls
            resumptions += run.resumptions
            questions += run.questions
            guard !run.violations.isEmpty else { continue }

            let shortest = shrunk(history, \.events) { Self.violations($0) != [] }
            Issue.record("seed \(seed): \(Self.violations(shortest).joined(separator: "; "))\n\(shortest)")
            return
        }
        let figures =
            "\(purchases) purchases, \(requests) requests for files, \(resumptions) for the rest of one, \(questions) questions"
        print("histories of a shop with the seeds \(seeds): \(figures)")
        #expect(purchases > seeds.count / 2, "histories in which nothing is bought show nothing")
        #expect(requests > seeds.count / 2, "nor do those in which nothing is loaded")
        #expect(resumptions > seeds.count / 100, "nor do those in which no rest of a file is loaded")
    }

    @Test(
        "histories that went wrong once, or that happen seldom",
        arguments: [
            // What was loaded isn't loaded again because the disk is full and the catalog changes meanwhile.
            ShopHistory(
                isObserved: true,
                events: [
                    .buy("pro", .bought), .renew(isNew: true, isAnnounced: false), .serverTakes(4), .refresh,
                    .catalog(.more), .disk(works: false), .catalog(.whole), .wait(170_000),
                ]
            ),
            // A purchase that the store lists only while a signed text is asked for isn't for sale again.
            ShopHistory(
                asksForApp: true,
                events: [
                    .buy("pro", .bought), .wait(170_000), .buy("day", .bought), .renew(isNew: true, isAnnounced: false),
                    .reset,
                ]
            ),
            // A timer that is set anew at the moment at which it ends wakes the app once.
            ShopHistory(events: [
                .buy("pro", .bought), .invite(3, from: 1), .diskTakes(0.1), .renew(isNew: false, isAnnounced: true),
                .buy("hints", .bought), .refund(6, isAnnounced: true), .buy("pass", .pending), .reset, .wait(4_000),
            ]),
            // Refunded, and the refund taken back, while files are loaded and a slow disk still writes some of them.
            ShopHistory(events: [
                .serverTakes(10), .buy("pass", .bought), .wait(4), .diskTakes(2), .wait(2),
                .refund(0, isAnnounced: true), .reverseRefund(0, isAnnounced: true), .wait(200),
            ]),
            // Refunded while it is being delivered. What the app writes after that goes too.
            ShopHistory(
                endsWithLaunch: false,
                events: [
                    .deliveryTakes(50), .buy("day", .bought), .refund(0, isAnnounced: true), .wait(60),
                    .buy("hints", .bought),
                ]
            ),
            // A refund that is taken back after the delivery, and one that ends a loading at once.
            ShopHistory(events: [
                .buy("gold", .bought), .refund(0, isAnnounced: true), .deliveryTakes(2),
                .reverseRefund(0, isAnnounced: true), .wait(5), .serverTakes(10), .buy("pass", .bought), .wait(4),
                .refund(1, isAnnounced: true), .wait(200),
            ]),
            // What is loaded isn't loaded again because the app fails to deliver it, only for a reset.
            ShopHistory(events: [
                .delivery(works: false), .buy("gold", .bought), .wait(60), .delivery(works: true), .wait(60),
                .serverTakes(50), .reset, .wait(4), .reset, .wait(200),
            ]),
        ]
    )
    func known(_ history: ShopHistory) { #expect(Self.violations(history) == []) }

    private static func violations(_ history: ShopHistory) -> [String] {
        let run = ShopHistoryRun(history)
        run.run()
        return run.violations
    }
}
