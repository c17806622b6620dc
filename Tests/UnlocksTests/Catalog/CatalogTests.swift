import Foundation
import Testing
import Unlocks

/// What the cases of the reference don't ask.
struct CatalogTests {
    private func catalog(_ json: String) throws -> ShopCatalog { try ShopCatalog(json: Data(json.utf8)) }

    @Test("what was left out says where it is and what is wrong")
    func rejections() throws {
        let catalog = try catalog(
            #"{"format":1,"revision":1,"items":[7,{"id":"a"}],"rewards":[{"id":"b"},{"id":"c","grants":["g"],"limit":0}]}"#
        )
        #expect(
            catalog.rejections.map(\.description) == [
                "An entry is left out: items[0] must be an object.",
                "An entry is left out: items[1].kind is missing; it must be \"nonConsumable\", \"consumable\", \"subscription\", \"nonRenewing\", \"trial\" or \"allowance\".",
                "An entry is left out: rewards[0].grants is missing; it must be a list of names.",
                // A log gets what would be right, and not what is there.
                "An entry is left out: rewards[1].limit must be a whole number of at least 1.",
            ]
        )
    }

    @Test("an item and a reward have all that is written of them")
    func members() throws {
        let catalog = try catalog(
            #"""
            {"format":1,"revision":12,"issued":"2026-11-21T00:00:00Z","staleAfter":"2026-12-21T00:00:00Z","items":[
            {"id":"hints","product":"p","kind":"consumable","amount":10,"grants":["hint"],"enabled":false,"minVersion":"2.1",
            "maxVersion":"3","belowMinimum":"updateFirst","platforms":["iOS","macOS"],"includedIn":["full"],"free":true,
            "page":"https://example.com/gold","text":{"en":{"title":"Hints","detail":"Ten."}}}],
            "rewards":[{"id":"w","parameter":"pack","value":"gold","grants":["hint"],"limit":2,"amount":3,"after":"e",
            "signed":true}]}
            """#
        )
        #expect(catalog.issued == Date(timeIntervalSince1970: 1_795_219_200))
        #expect(catalog.staleAfter == Date(timeIntervalSince1970: 1_797_811_200))
        let item = try #require(catalog.items.first)
        #expect(item.kind == .consumable(amount: 10))
        #expect(item.productID == "p")
        #expect(item.grants == ["hint"])
        #expect(!item.isEnabled)
        #expect(item.isFree)
        #expect(item.belowMinimum == .updateFirst)
        #expect(item.includedIn == ["full"])
        #expect(item.minimumVersion == "2.1")
        #expect(item.maximumVersion == "3")
        #expect(item.platforms == [.iOS, .macOS])
        #expect(item.page == URL(string: "https://example.com/gold"))
        let reward = try #require(catalog.rewards.first)
        #expect(reward.parameter == "pack")
        #expect(reward.value == "gold")
        #expect(reward.grants == ["hint"])
        #expect(reward.limit == 2)
        #expect(reward.amount == 3)
        #expect(reward.event == "e")
        #expect(reward.needsSignature)
    }
}
