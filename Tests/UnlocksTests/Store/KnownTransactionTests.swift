import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// StoreKit may answer a purchase with a transaction that isn't new.
@MainActor
struct KnownTransactionTests {
    private static let items = #"""
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]},
        {"id":"season","product":"season","kind":"nonRenewing","days":30,"grants":["lounge"]},
        {"id":"club","product":"club","kind":"subscription","grants":["pro"]},
        {"id":"year","product":"year","kind":"subscription","grants":["pro","max"]}
        """#

    private static func statement(_ id: String, _ product: ProductID, end: Date? = nil) -> StoreStatement {
        .verified(StoreTransaction(id: id, productID: product, expirationDate: end))
    }

    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items)) { shop in
            shop.store.isPack = { $0 == "hints" }
            try test(shop)
        }
    }

    /// What the store answers to one purchase after the other.
    private static func answer(_ shop: Shop, _ statements: [StoreStatement]) {
        var next = statements[...]
        shop.store.answer = { _ in
            guard let statement = next.popFirst() else { return .cancelled }
            if !shop.store.statements.contains(statement) { shop.store.record(statement) }
            return .purchased(statement)
        }
    }

    @Test(
        "a second pack that is answered with the first one's transaction is finished and asked for again",
        arguments: [("hints", "hints"), ("season", "season")] as [(ItemID, ProductID)]
    )
    func askedAgain(item: ItemID, product: ProductID) throws {
        try Self.shop { shop in
            try shop.launch()
            // The store doesn't finish the first one in time.
            shop.store.unanswered = [.finish]
            Self.answer(shop, [Self.statement("1", product)])
            #expect(try shop.buy(item) == .bought)
            #expect(shop.store.unfinished == ["1"])
            Self.answer(shop, [Self.statement("1", product), Self.statement("2", product)])
            let answer = shop.store.answer
            var finished: [[String]] = []
            shop.store.answer = { product in
                finished.append(shop.store.finished)
                // From now on, it does.
                shop.store.unanswered = []
                return try answer(product)
            }
            #expect(try shop.buy(item) == .bought)
            #expect(finished == [[], ["1"]])
            #expect(shop.deliveries.compactMap(\.transaction?.id) == ["1", "2"])
            shop.wait(60)
            #expect(Set(shop.store.finished) == ["1", "2"])
            if item == "hints" { #expect(shop.unlocks?.balance(of: "hint") == 20) }
        }
    }

    @Test("… and if the answer is the same again, that is an error, and the app isn't told that it was bought")
    func repeated() throws {
        try Self.shop { shop in
            try shop.launch()
            Self.answer(shop, [Self.statement("1", "hints")])
            #expect(try shop.buy("hints") == .bought)
            Self.answer(shop, [Self.statement("1", "hints"), Self.statement("1", "hints")])
            #expect(throws: UnlocksError.repeatedPurchase) { try shop.buy("hints") }
            #expect(shop.unlocks?.balance(of: "hint") == 10)
            #expect(shop.unlocks?.activity == nil)
            // Whoever cancels the second time has bought nothing.
            Self.answer(shop, [Self.statement("1", "hints")])
            #expect(try shop.buy("hints") == .cancelled)
            #expect(shop.unlocks?.balance(of: "hint") == 10)
        }
    }

    @Test("a purchase that an update has told before its answer comes is one")
    func updateFirst() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.store.answer = { product in
                let statement = Self.statement("1", product)
                shop.store.record(statement)
                shop.store.announce(statement)
                return .purchased(statement)
            }
            shop.store.unanswered = [.purchase]
            shop.store.isStale = true
            let unlocks = try #require(shop.unlocks)
            let purchase = Attempt { try await unlocks.buy("hints") }
            #expect(shop.unlocks?.balance(of: "hint") == 10)
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(try purchase.get() == .bought)
        }
    }

    @Test("a subscription's change that is answered with the present plan's transaction isn't asked for again")
    func laterChange() throws {
        try Self.shop { shop in
            try shop.launch()
            let end = shop.now.date + 86_400 * 30
            let club = Self.statement("1", "club", end: end)
            Self.answer(shop, [club])
            #expect(try shop.buy("club") == .bought)
            var asked = 0
            shop.store.answer = { _ in
                asked += 1
                return .purchased(club)
            }
            #expect(try shop.buy("year") == .scheduled)
            #expect(asked == 1)
            #expect(shop.state("max") == .locked)
        }
    }
}
