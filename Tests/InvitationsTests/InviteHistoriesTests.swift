import Foundation
import TestSupport
import Testing

/// Random histories of ``Invites`` alone, with ends of the process between any two effects.
///
/// `HISTORIES=N SEED=S swift test --filter Histories` runs others. By the million they run optimized, in `Tests/Packages/Optimized`.
struct InviteHistoriesTests {
    @Test("invitations count once, nothing that was answered is lost, pauses are kept, and all is signed in the end")
    func random() {
        let seeds = randomSeeds(300, optimized: 20_000)
        var (signed, counted): (UInt64, UInt64) = (0, 0)
        for seed in seeds {
            let history = InviteHistory(seed: seed)
            let run = run(history)
            signed += UInt64(run.signed.count)
            counted += UInt64(run.count)
            guard !run.violations.isEmpty else { continue }

            let shortest = history.shrunk { !self.run($0).violations.isEmpty }
            let reasons = self.run(shortest).violations.joined(separator: "; ")
            Issue.record("seed \(seed): \(reasons)\n\(shortest)")
            return
        }
        print("histories of invitations with the seeds \(seeds): \(signed) signed, \(counted) counted")
        let few = seeds.count / 10
        #expect(signed > few && counted > few, "histories in which nothing happens show nothing")
    }

    @Test("an event that comes when an entry is given up is kept")
    func changesAtOnce() {
        let history = InviteHistory(
            events: [
                .guestbook(.refuses), .start, .arrive("ben"), .reach("first-board"), .suspend(2_700_000),
                .reach("second-board"), .crash,
            ],
            ownReferrer: nil,
            daysSincePurchase: nil,
            sharesCodes: false,
            answersTwice: false,
            lastEffect: nil
        )
        #expect(run(history).violations == [])
    }

    @Test("nobody signs who had the app before, also if the store says so when a pause ends")
    func purchaseDateAtTheEndOfAPause() {
        let history = InviteHistory(
            events: [
                .arrive("7WTY-1PFD-B8V8"), .latency(0.04), .guestbook(.isSignedOut), .reach("first-board"),
                .wait(1_000), .start, .suspend(2_700_000),
            ],
            ownReferrer: "anna",
            daysSincePurchase: 30,
            sharesCodes: false,
            answersTwice: true,
            lastEffect: nil
        )
        #expect(run(history).violations == [])
    }

    private func run(_ history: InviteHistory) -> InvitesWorld {
        var world = InvitesWorld(history)
        world.run()
        return world
    }
}
