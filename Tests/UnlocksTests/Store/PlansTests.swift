import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

/// The plans of one subscription, of which the user has at most one.
@MainActor
struct PlansTests {
    private static let items = #"""
        {"id":"month","product":"month","kind":"subscription","grants":["club"]},
        {"id":"year","product":"year","kind":"subscription","grants":["club"]},
        {"id":"max","product":"max","kind":"subscription","grants":["club","max"]},
        {"id":"other","product":"other","kind":"subscription","grants":["club"]},
        {"id":"taster","product":"taster","kind":"trial","days":14,"grants":["club"]}
        """#
    private static let month = 2_592_000.0
    private let clock = TestClock().clock

    /// A shop in the real runtime, whose store is a script.
    private func unlocks(groups: Bool) async throws -> (UnlockCenter, ScriptedStore, TemporaryFolder) {
        func plan(_ id: ProductID, _ group: String?) -> ScriptedStore.Product {
            .init(id: id, price: "\(id) €", kind: .subscription(seconds: Self.month), group: groups ? group : nil)
        }
        let store = ScriptedStore(
            products: [
                plan("month", "club"), plan("year", "club"), plan("max", "club"), plan("other", "others"),
                .init(id: "taster", price: "0 €"),
            ],
            clock: clock
        )
        let folder = TemporaryFolder("plans")
        let unlocks = UnlockCenter(
            store: store,
            catalog: try .of(items: Self.items),
            folder: folder.url,
            context: ShopContext(appVersion: "1.0", platform: .iOS, languages: ["en"]),
            clock: clock
        )
        unlocks.start()
        await unlocks.refresh()
        return (unlocks, store, folder)
    }

    private func offers(_ unlocks: UnlockCenter) -> [ShopOffer.State] { unlocks.offers.map(\.state) }

    /// The states of an unlock from now on, up to one that is open.
    private func untilOpen(_ unlock: UnlockID, _ unlocks: UnlockCenter) async {
        for await change in unlocks.states where change.unlock == unlock && change.state.isUnlocked { break }
    }

    @Test("a subscriber changes to the other plans of the group, and to nothing else", arguments: [true, false])
    func otherPlans(groups: Bool) async throws {
        let (unlocks, _, folder) = try await unlocks(groups: groups)
        #expect(offers(unlocks).dropLast() == ["month", "year", "max", "other"].map { .forSale(price: "\($0) €") })
        #expect(try await unlocks.buy("month") == .bought)
        await untilOpen("club", unlocks)
        #expect(
            offers(unlocks) == [
                .owned, .otherPlan(price: "year €"),
                // By what they open, it isn't known that the larger one is a plan of the same subscription.
                groups ? .otherPlan(price: "max €") : .forSale(price: "max €"),
                // Whoever bought one of another group would pay for both.
                groups ? .owned : .otherPlan(price: "other €"), .owned,
            ]
        )
        #expect(try await unlocks.buy("year") == .bought)
        await unlocks.refresh()
        await untilOpen("club", unlocks)
        let bigger: ShopOffer.State = groups ? .otherPlan(price: "max €") : .forSale(price: "max €")
        if groups {
            #expect(offers(unlocks) == [.otherPlan(price: "month €"), .owned, bigger, .owned, .owned])
        }
        withExtendedLifetime(folder) {}
    }

    @Test("a change that comes with the next period is scheduled, and the present plan goes on")
    func scheduled() async throws {
        let (unlocks, store, folder) = try await unlocks(groups: true)
        #expect(try await unlocks.buy("max") == .bought)
        await untilOpen("max", unlocks)
        store.nextPurchases = [.scheduled]
        #expect(try await unlocks.buy("month") == .scheduled)
        #expect(store.askedPurchases == ["max", "month"])
        #expect(offers(unlocks).prefix(3) == [.otherPlan(price: "month €"), .otherPlan(price: "year €"), .owned])
        withExtendedLifetime(folder) {}
    }

    @Test("while a former plan is still listed, the plan is the one that was bought last")
    func formerPlan() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.group = { _ in "club" }
            try shop.launch()
            for (id, product) in [("1", "month"), ("2", "year")] as [(String, ProductID)] {
                shop.wait(60)
                var plan = StoreTransaction(id: id, productID: product, purchaseDate: shop.now.date)
                plan.expirationDate = shop.now.date + Self.month
                shop.store.announce(.verified(plan))
                JobQueue.drain()
            }
            let states = shop.unlocks?.offers.prefix(2).map(\.state)
            #expect(states == [.otherPlan(price: "1 €"), .owned])
        }
    }

    @Test("what a family member shares is known as such, also after a new launch")
    func familySharing() async throws {
        let (unlocks, store, folder) = try await unlocks(groups: true)
        store.beginFamilySharing("month")
        await untilOpen("club", unlocks)
        let shared = try #require(await store.allTransactions().first?.transaction)
        #expect(shared.isFamilyShared)
        #expect(unlocks.purchase(of: try #require(unlocks.catalog.items.first))?.isFamilyShared == true)
        #expect(offers(unlocks).prefix(2) == [.owned, .otherPlan(price: "year €")])
        withExtendedLifetime(folder) {}
    }
}
