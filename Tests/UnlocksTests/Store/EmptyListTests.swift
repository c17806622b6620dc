import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// StoreKit sometimes lists no products, without an error, for identifiers that exist.
@MainActor
struct EmptyListTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]}
        """#

    private static func offers(_ shop: Shop) -> [ShopOffer.State] { shop.unlocks?.offers.map(\.state) ?? [] }

    @Test(
        "an empty list leaves the prices as they are, and the store is asked again soon, and then less and less often"
    )
    func known() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            let forSale = [ShopOffer.State](repeating: .forSale(price: "1 €"), count: 2)
            #expect(Self.offers(shop) == forSale)
            shop.store.products = []
            shop.refresh()
            #expect(Self.offers(shop) == forSale)
            #expect(shop.unlocks?.isOffline == true)
            var asked = [shop.store.askedProducts]
            for seconds in [1.1, 2, 4, 8] {
                shop.wait(seconds)
                asked.append(shop.store.askedProducts)
            }
            #expect(asked == Array(asked[0]...asked[0] + 4))
            shop.store.products = ["gold"]
            shop.wait(17)
            #expect(Self.offers(shop) == [.forSale(price: "1 €"), .unavailable(.unknownProduct)])
            #expect(shop.unlocks?.isOffline == false)
            let end = shop.store.askedProducts
            shop.wait(10_000)
            #expect(shop.store.askedProducts == end)
        }
    }
}
