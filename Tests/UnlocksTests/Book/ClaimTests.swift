import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// Which claims are kept, and how they are judged later.
@MainActor
struct ClaimTests {
    private static func referral(
        _ referrer: String,
        _ parameters: [String: String] = [:],
        isSigned: Bool = false
    ) throws -> Arrival {
        let referral = try Referral(referrer: referrer, parameters: parameters)
        return Arrival(referral, road: .opened, isSigned: isSigned, destination: nil)
    }

    private static func reward(_ more: String = "") -> String {
        #"{"id":"welcome","grants":["gold"],"limit":5000\#(more)}"#
    }

    /// The referrers whose reward was delivered, in order.
    private static func referrers(_ shop: Shop) -> [String] {
        shop.deliveries.compactMap { if case .reward(_, let referrer) = $0.evidence { referrer } else { nil } }
    }

    // MARK: What is kept

    @Test("claims that earn nothing never push out one that waits for its event", arguments: [false, true])
    func waiting(isRelaunched: Bool) throws {
        let rewards = Self.reward(#","parameter":"pack","value":"gold","after":"first-board""#)
        try Shop.run(.of(rewards: rewards)) { shop in
            try shop.launch()
            #expect(try shop.unlocks?.claim(Self.referral("anna", ["pack": "gold"])) == ["welcome"])
            for number in 1...40 { _ = try shop.unlocks?.claim(Self.referral("other \(number)", isSigned: true)) }
            if isRelaunched { try shop.launch() }
            try shop.unlocks?.recordEvent("first-board")
            #expect(Self.referrers(shop) == ["anna"])
        }
    }

    @Test("of the claims that earn nothing the last 32 are kept")
    func others() throws {
        try Shop.run(.of()) { shop in
            try shop.launch()
            for number in 1...40 { _ = try shop.unlocks?.claim(Self.referral("other \(number)")) }
            try shop.launch()
            try shop.use(.of(rewards: Self.reward()))
            #expect(Self.referrers(shop) == (9...40).map { "other \($0)" })
        }
    }

    @Test("at most 100 claims wait: the first ones")
    func manyWaiting() throws {
        try Shop.run(.of(rewards: Self.reward(#","after":"first-board""#))) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            for number in 1...100 { #expect(try unlocks.claim(Self.referral("\(number)")) == ["welcome"]) }
            let before = shop.storage.journal
            #expect(try unlocks.claim(Self.referral("one more")) == [])
            #expect(shop.storage.journal == before)
            try shop.launch()
            try shop.unlocks?.recordEvent("first-board")
            #expect(Self.referrers(shop) == (1...100).map { "\($0)" })
        }
    }

    // MARK: How it is judged later

    @Test(
        "once the app knows the person's name, their own claims are forgotten, also by the next launch, which doesn't know"
    )
    func lateName() throws {
        try Shop.run(.of(rewards: Self.reward(#","after":"first-board""#))) { shop in
            try shop.launch()
            for referrer in ["anna", "ben"] { _ = try shop.unlocks?.claim(Self.referral(referrer)) }
            shop.unlocks?.ownReferrer = "anna"
            JobQueue.drain()
            try shop.launch()
            try shop.unlocks?.recordEvent("first-board")
            #expect(Self.referrers(shop) == ["ben"])
        }
    }

    @Test("of two claims by one referrer each earns what the other doesn't")
    func twoClaims() throws {
        let rewards = [("a", "gold"), ("b", "silver"), ("c", "gold")].map { id, pack in
            #"{"id":"\#(id)","parameter":"pack","value":"\#(pack)","grants":["\#(id)"],"after":"first-board"}"#
        }
        try Shop.run(.of(rewards: rewards.joined(separator: ","))) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            #expect(try unlocks.claim(Self.referral("anna", ["pack": "gold"])) == ["a", "c"])
            #expect(try unlocks.claim(Self.referral("anna", ["pack": "gold", "page": "2"])) == [])
            #expect(try unlocks.claim(Self.referral("anna", ["pack": "silver"])) == ["b"])
            try unlocks.recordEvent("first-board")
            #expect(["a", "b", "c"].allSatisfy { unlocks.state(of: $0).isUnlocked })
            #expect(shop.deliveries.count == 3)
            #expect(try unlocks.claim(Self.referral("anna", ["pack": "gold", "page": "3"])) == [])
        }
    }

    // MARK: Names

    @Test("referrers are told apart by their bytes, and rewards and referrers that run together by their folders")
    func names() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try Shop.run(.of(rewards: Self.reward())) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            unlocks.ownReferrer = "e\u{301}"
            for referrer in [composed, decomposed, "\u{E9}"] {
                #expect(try unlocks.claim(Self.referral(referrer)) == ["welcome"])
            }
            #expect(Set(shop.deliveries.map(\.folder)).count == 3)
            try shop.launch()
            #expect(try shop.unlocks?.claim(Self.referral(decomposed)) == [])
            #expect(shop.deliveries.count == 3)
        }
        let rewards = ["a", "a b"].map { #"{"id":"\#($0)","grants":["gold"],"limit":2}"# }
        try Shop.run(.of(rewards: rewards.joined(separator: ","))) { shop in
            try shop.launch()
            for referrer in ["c", "b c"] { _ = try shop.unlocks?.claim(Self.referral(referrer)) }
            #expect(shop.deliveries.count == 4)
            #expect(Set(shop.deliveries.map(\.folder)).count == 4)
        }
    }

    @Test("a code earns once, in whatever spelling, and one's own earns nothing")
    func spellings() throws {
        try Shop.run(.of(rewards: Self.reward())) { shop in
            try shop.launch()
            #expect(try shop.unlocks?.claim(Self.referral("4F7K-9Q2M-XRKQ")) == ["welcome"])
            for isRelaunched in [false, true] {
                if isRelaunched { try shop.launch() }
                for spelling in ["4f7k 9q2m xrkq", "4F7K9Q2MXRKQ", "4F7K-9Q2M-XRKQ", "4f7k.9q2m.xrkq"] {
                    #expect(try shop.unlocks?.claim(Self.referral(spelling)) == [], "\(spelling)")
                }
            }
            #expect(Self.referrers(shop) == ["4F7K-9Q2M-XRKQ"], "as it came first")
            shop.unlocks?.ownReferrer = "0000-0000-0000"
            JobQueue.drain()
            #expect(try shop.unlocks?.claim(Self.referral("ooooOOOO0000")) == [])
            #expect(try shop.unlocks?.claim(Self.referral("0000-0000-0001")) == ["welcome"], "this is no code")
            #expect(try shop.unlocks?.claim(Self.referral("0000 0000 0001")) == ["welcome"])
            #expect(shop.deliveries.count == 3)
        }
    }

    @Test("a referrer of more than 256 bytes earns nothing, and a longer event is reached by nobody")
    func longNames() throws {
        let (longest, longer) = (String(repeating: "a", count: 256), String(repeating: "a", count: 257))
        let rewards = Self.reward(#","parameter":"\#(longest)","value":"\#(longer)","after":"\#(longest)""#)
        try Shop.run(.of(rewards: rewards)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            let before = shop.storage.journal
            #expect(try unlocks.claim(Self.referral(longer, [longest: longer])) == [])
            try unlocks.recordEvent(EventName(longer))
            #expect(shop.storage.journal == before)
            #expect(try unlocks.claim(Self.referral(longest, [longest: longer, longer: "b"])) == ["welcome"])
            try shop.launch()
            try shop.unlocks?.recordEvent(EventName(longest))
            #expect(Self.referrers(shop) == [longest])
        }
    }
}
