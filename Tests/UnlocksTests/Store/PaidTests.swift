import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What is paid, or may be, isn't for sale.
@MainActor
struct PaidTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"all","product":"everything","kind":"nonConsumable","grants":["gold","silver"]},
        {"id":"club","product":"club","kind":"subscription","grants":["pro"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#

    private static func offer(_ item: ItemID, _ shop: Shop) -> ShopOffer.State? {
        shop.unlocks?.offers.first { $0.item.id == item }?.state
    }

    private static func refusal(of item: ItemID, _ shop: Shop) -> ShopOffer.State? {
        do { _ = try shop.buy(item) } catch UnlocksError.notForSale(let state) { return state } catch {}
        return nil
    }

    private static func sell(_ shop: Shop) {
        var count = 0
        shop.store.answer = { product in
            count += 1
            let end = product == "club" ? shop.now.date + 100_000 : nil
            let statement = StoreStatement.verified(
                StoreTransaction(id: "\(count)", productID: product, expirationDate: end)
            )
            shop.store.record(statement)
            return .purchased(statement)
        }
    }

    @Test("bought and not delivered yet", arguments: ["gold-pack", "hints", "club"] as [ItemID])
    func undelivered(item: ItemID) throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.deliver = { _ in throw StoreError.unreachable }
            try shop.launch()
            Self.sell(shop)
            #expect(try shop.buy(item) == .bought)
            #expect(Self.offer(item, shop) == .paid)
            #expect(Self.refusal(of: item, shop) == .paid)
            let unlock: UnlockID = item == "hints" ? "hint" : item == "club" ? "pro" : "gold"
            #expect(shop.state(unlock) == .unknown(.beingDelivered), "nobody who has paid sees the shop")
            shop.deliver = { _ in }
            shop.wait(10)
            #expect(Self.offer(item, shop) == (item == "hints" ? .forSale(price: "1 €") : .owned))
        }
    }

    @Test("what is earned and not delivered yet isn't for sale")
    func earned() throws {
        try Shop.run(.known(items: Self.items, rewards: #"{"id":"welcome","grants":["gold"]}"#)) { shop in
            shop.deliver = { _ in throw StoreError.unreachable }
            try shop.launch()
            let arrival = Arrival(try Referral(referrer: "anna"), road: .opened)
            try shop.unlocks?.claim(arrival)
            #expect(Self.offer("gold-pack", shop) == .paid)
        }
    }

    @Test("what is bought and not delivered yet opens all that another item does")
    func covered() throws {
        let items =
            Self.items + #",{"id":"pro","product":"pro","kind":"nonConsumable","grants":["pro"]},"#
            + #"{"id":"year","product":"year","kind":"subscription","grants":["pro"]},"#
            + #"{"id":"both","product":"both","kind":"nonConsumable","grants":["silver","pro"]}"#
        try Shop.run(.of(items: items)) { shop in
            try shop.launch()
            Self.sell(shop)
            shop.store.unanswered = [.purchase]
            _ = Task { [unlocks = shop.unlocks] in try await unlocks?.buy("all") }
            JobQueue.drain()
            #expect(Self.offer("gold-pack", shop) == .checking(.purchasing))
            #expect(Self.refusal(of: "gold-pack", shop) == .checking(.purchasing))
            #expect(Self.offer("both", shop) == .forSale(price: "1 €"))
            shop.deliver = { _ in throw StoreError.unreachable }
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(Self.offer("gold-pack", shop) == .paid)
            #expect(Self.refusal(of: "gold-pack", shop) == .paid)
            #expect(Self.offer("both", shop) == .forSale(price: "1 €"))
            #expect(try shop.buy("club") == .bought)
            #expect(Self.offer("year", shop) == .paid)
            #expect(Self.offer("pro", shop) == .forSale(price: "1 €"), "a subscriber can still buy what lasts")
            shop.deliver = { _ in }
            shop.wait(10)
            for item: ItemID in ["gold-pack", "all"] { #expect(Self.offer(item, shop) == .owned) }
        }
    }

    @Test("bought, and the disk is full")
    func unsaved() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            Self.sell(shop)
            shop.storage.next = { .fails }
            #expect(try shop.buy("gold-pack") == .bought)
            #expect(Self.offer("gold-pack", shop) == .paid)
            #expect(Self.refusal(of: "gold-pack", shop) == .paid)
            #expect(Self.offer("all", shop) == .forSale(price: "1 €"))
            shop.storage.next = { .succeeds }
            shop.wait(10)
            #expect(Self.offer("gold-pack", shop) == .owned)
        }
    }

    @Test("a store that hasn't answered: what may be owned is checked, and a pack isn't, since no list has it")
    func notAsked() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            // The products arrive, and the list of purchases never does.
            shop.store.unanswered = [.unfinished, .entitlements]
            try shop.launch()
            #expect(shop.unlocks?.products != nil)
            for item: ItemID in ["gold-pack", "all", "club"] {
                #expect(Self.offer(item, shop) == .checking(.storeNotAsked))
                #expect(Self.refusal(of: item, shop) == .checking(.storeNotAsked))
            }
            #expect(Self.offer("hints", shop) == .forSale(price: "1 €"))
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(Self.offer("gold-pack", shop) == .forSale(price: "1 €"))
        }
    }

    @Test("the folder isn't open")
    func closed() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.storage.isLocked = true
            try? shop.launch()
            for item: ItemID in ["gold-pack", "hints"] {
                #expect(Self.offer(item, shop) == .checking(.notOpened))
                #expect(Self.refusal(of: item, shop) == .checking(.notOpened))
            }
        }
    }

    @Test("bought before the switch, and the store doesn't say so: what that opens isn't for sale")
    func paidBefore() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.paidBefore = PaidBefore(grants: ["gold", "hint"], firstFreeVersions: [.iOS: "2"])
            try shop.launch()
            #expect(shop.state("gold") == .unknown(.paidBefore(.notAvailable)))
            for item: ItemID in ["gold-pack", "hints"] {
                #expect(Self.offer(item, shop) == .checking(.paidBefore), "\(item)")
            }
            #expect(Self.refusal(of: "gold-pack", shop) == .checking(.paidBefore))
            #expect(Self.offer("all", shop) == .forSale(price: "1 €"), "they don't have silver")
            shop.end()
            // Nobody has bought the app in the sandbox, where App Review buys.
            shop.store.environment = .sandbox
            shop.store.app = .onIPhone("1.0", environment: .sandbox)
            try shop.launch()
            #expect(shop.state("gold") == .locked)
            #expect(Self.offer("gold-pack", shop) == .forSale(price: "1 €"))
        }
    }
}
