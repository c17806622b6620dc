import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What a referral earns of something that is counted.
@MainActor
struct RewardTests {
    @Test("a reward with doses gives doses of each of its unlocks, and one without gives a dose of what comes in doses")
    func rewardDoses() throws {
        let items = #"{"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}"#
        let rewards = #"""
            {"id":"three","parameter":"pack","value":"hints","grants":["hint","gold"],"amount":3},
            {"id":"one","parameter":"pack","value":"hints","grants":["hint","gold","silver"]}
            """#
        try Shop.run(.of(items: items, rewards: rewards)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            try unlocks.claim(Arrival(Referral(referrer: "anna", parameters: ["pack": "hints"]), road: .opened))
            JobQueue.drain()
            #expect(unlocks.balance(of: "hint") == 4)
            #expect(unlocks.balance(of: "gold") == 4, "doses of it were granted before")
            #expect(unlocks.balance(of: "silver") == .unlimited)
            #expect(unlocks.state(of: "silver").isUnlocked)
            #expect(try unlocks.spend(4, of: "gold"))
            #expect(unlocks.state(of: "gold") == .locked)
        }
    }
}
