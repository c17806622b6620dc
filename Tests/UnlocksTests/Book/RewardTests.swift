import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What a referral earns, and when.
@MainActor
struct RewardTests {
    @Test("the person's own link earns nothing, and a claim of yesterday is judged again when its event is reached")
    func ownLink() throws {
        let rewards = #"{"id":"welcome","grants":["gold"],"after":"first-board","limit":2}"#
        try Shop.run(.of(rewards: rewards)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            #expect(try unlocks.claim(Arrival(Referral(referrer: "anna"), road: .opened)) == ["welcome"])
            #expect(
                try unlocks.claim(Arrival(Referral(referrer: "anna"), road: .opened)) == [],
                "one that waits isn't claimed twice"
            )
            unlocks.ownReferrer = "anna"
            try unlocks.recordEvent("first-board")
            JobQueue.drain()
            #expect(unlocks.state(of: "gold") == .locked)
            #expect(try unlocks.claim(Arrival(Referral(referrer: "ben"), road: .opened)) == ["welcome"])
            JobQueue.drain()
            #expect(unlocks.state(of: "gold") == .unlocked(by: [.reward(id: "welcome", referrer: "ben")]))
        }
    }

    @Test("a claim waits for the catalog that has its reward, over a relaunch too, and for a full disk")
    func earlyClaim() throws {
        try Shop.run(.of()) { shop in
            try shop.launch()
            let parameters = ["pack": "gold", "note": "a \"quoted\" one"]
            #expect(
                try shop.unlocks?.claim(Arrival(Referral(referrer: "anna", parameters: parameters), road: .opened))
                    == []
            )
            try shop.launch()
            let rewards = #"""
                {"id":"welcome","parameter":"pack","value":"gold","grants":["gold"],"limit":2},
                {"id":"note","parameter":"note","value":"a \"quoted\" one","grants":["silver"]}
                """#
            let catalog = try ShopCatalog.of(rewards: rewards)
            let unlocks = try #require(shop.unlocks)
            Task { await unlocks.use(catalog) }
            JobQueue.drain()
            #expect(unlocks.state(of: "gold") == .unlocked(by: [.reward(id: "welcome", referrer: "anna")]))
            #expect(unlocks.state(of: "silver").isUnlocked)
            shop.storage.next = { .fails }
            let full = UnlocksError.storage("The disk is full.")
            #expect(throws: full) {
                try unlocks.claim(Arrival(Referral(referrer: "ben", parameters: parameters), road: .opened))
            }
            shop.storage.next = { .succeeds }
            shop.wait(2)
            let both = ["anna", "ben"].map { Evidence.reward(id: "welcome", referrer: $0) }
            #expect(unlocks.state(of: "gold") == .unlocked(by: both))
        }
    }

    @Test("what waits earns nothing once the catalog has no such reward, or has it for signed referrals only")
    func rewardGone() throws {
        func catalog(_ more: String) throws -> ShopCatalog {
            try .of(
                rewards: #"""
                    {"id":"welcome","parameter":"pack","value":"gold","grants":["gold"],"after":"first-board","limit":9\#(more)}
                    """#
            )
        }
        try Shop.run(catalog("")) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            @MainActor func use(_ catalog: ShopCatalog) {
                Task { await unlocks.use(catalog) }
                JobQueue.drain()
            }
            func referral(_ referrer: String, pack: String, isSigned: Bool = false) throws -> Arrival {
                let referral = try Referral(referrer: referrer, parameters: ["pack": pack])
                return Arrival(referral, road: .opened, isSigned: isSigned)
            }
            #expect(try unlocks.claim(referral("anna", pack: "gold")) == ["welcome"])
            #expect(try unlocks.claim(referral("anna", pack: "silver", isSigned: true)) == [])
            #expect(try unlocks.claim(referral("ben", pack: "gold", isSigned: true)) == ["welcome"])
            use(try .of())
            try unlocks.recordEvent("first-board")
            JobQueue.drain()
            #expect(unlocks.state(of: "gold") == .locked)
            use(try catalog(#","signed":true"#))
            #expect(unlocks.state(of: "gold") == .unlocked(by: [.reward(id: "welcome", referrer: "ben")]))
            use(try catalog(""))
            let both = ["ben", "anna"].map { Evidence.reward(id: "welcome", referrer: $0) }
            #expect(unlocks.state(of: "gold") == .unlocked(by: both))
        }
    }

    @Test("an event is on the disk with the rewards that wait for it, and after a crash between them they come later")
    func reachedOnFullDisk() throws {
        try Shop.run(.of(rewards: #"{"id":"welcome","grants":["gold"],"after":"first-board"}"#)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            try unlocks.claim(Arrival(Referral(referrer: "anna"), road: .opened))
            shop.storage.next = { .fails }
            #expect(throws: UnlocksError.storage("The disk is full.")) { try unlocks.recordEvent("first-board") }
            shop.storage.next = { .succeeds }
            shop.wait(100)
            #expect(unlocks.state(of: "gold") == .locked, "nothing was reached")
            let before = shop.storage.journalWrites
            try unlocks.recordEvent("first-board")
            #expect(unlocks.state(of: "gold").isUnlocked)
            #expect(shop.storage.journalWrites == before + 2, "the event with the reward, and its delivery")
            shop.end()
            shop.storage.damage { journal in
                let lines = String(decoding: journal, as: UTF8.self).split(separator: "\n")
                journal = Array(lines.filter { !$0.contains("stage") }.map { $0 + "\n" }.joined().utf8)
            }
            try shop.launch()
            #expect(shop.state("gold")?.isUnlocked == true)
        }
    }

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
