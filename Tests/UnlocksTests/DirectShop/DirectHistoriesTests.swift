import Foundation
import TestSupport
import Testing
import Unlocks

/// The state of a shop, and whatever may happen around them.
///
/// `HISTORIES=N SEED=S swift test --filter DirectHistories` runs others. By the hundred thousand they run optimized, in
/// `Tests/Packages/Optimized`.
struct DirectHistoriesTests {
    @Test("without a center around the state, nobody pays and doesn't get it, and nothing is given twice")
    func random() {
        let seeds = randomSeeds(300, optimized: 200_000)
        var (purchases, questions) = (0, 0)
        for seed in seeds {
            let history = DirectHistory(seed: seed)
            var shop = DirectShop(history)
            let violations = shop.run()
            purchases += shop.order.count
            questions += shop.questions
            guard !violations.isEmpty else { continue }

            let shortest = shrunk(history, \.events) { !DirectShop.violations($0).isEmpty }
            let reasons = DirectShop.violations(shortest).joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("histories of a shop's state with the seeds \(seeds): \(purchases) purchases, \(questions) questions")
        #expect(purchases > seeds.count / 2, "histories in which nothing is bought show nothing")
        #expect(questions > seeds.count / 8, "nor do those in which no server is asked about content")
    }

    @Test("whatever a server that guards files says, and whenever the app ends", arguments: DirectHistory.guardAnswers)
    func guarded(_ answer: DownloadError?) {
        for answers in 12..<32 {
            // It is asked about what is delivered.
            let events: [DirectHistory.Event] = [
                .launch, .buy("everything", .bought), .guards(answer), .endBeforeAnswer(answers, hasHappened: false),
                .month,
            ]
            #expect(DirectShop.violations(DirectHistory(ending: .refresh, events: events)) == [])
        }
        // The last answer counts. A load that is cancelled has none, and one without a guard is a success.
        let events: [DirectHistory.Event] = [
            .launch, .guards(answer), .buy("pro", .bought), .guards(.refused(.app)), .wait(4), .takes(.files, 40),
            .wait(9),
            .catalog(.more), .wait(60),
        ]
        #expect(DirectShop.violations(DirectHistory(events: events)) == [])
    }
}
