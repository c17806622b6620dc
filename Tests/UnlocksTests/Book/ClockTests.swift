import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What observers hear of time that passes, and of a clock that is corrected.
@MainActor
struct ClockTests {
    private static let items = #"""
        {"id":"boards","kind":"allowance","amount":3,"refill":"day","grants":["board"]},
        {"id":"pass","product":"pass","kind":"nonRenewing","days":1,"grants":["lounge"]},
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"taste","product":"taste","kind":"trial","days":2,"grants":["studio"]}
        """#

    /// The last change of each unlock that an observer has heard.
    @MainActor
    private final class Heard {
        private(set) var last: [UnlockID: UnlockChange] = [:]

        init(_ shop: Shop) {
            guard let changes = shop.unlocks?.states else { return }
            Task { for await change in changes { last[change.unlock] = change } }
            JobQueue.drain()
        }
    }

    private func say(_ transaction: StoreTransaction, in shop: Shop) {
        shop.tell(.verified(transaction))
    }

    private func buy(_ product: ProductID, at date: Date, in shop: Shop) {
        let count = shop.store.statements.count
        say(StoreTransaction(id: "\(count)", productID: product, purchaseDate: date, signedDate: date), in: shop)
    }

    @Test("a delivery that takes days doesn't keep a refill or an end from observers")
    func longDelivery() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            let heard = Heard(shop)
            buy("pass", at: shop.now.date, in: shop)
            #expect(try shop.unlocks?.spend(2, of: "board") == true)
            shop.deliver = { _ in await shop.takeTime(1e9) }
            buy("gold", at: shop.now.date, in: shop)
            #expect(heard.last["lounge"]?.state.isUnlocked == true)
            #expect(heard.last["board"]?.balance == 1)
            shop.wait(2 * 86_400)
            #expect(heard.last["lounge"]?.state.isLocked == true)
            #expect(heard.last["board"]?.balance == 3)
        }
    }

    @Test("observers hear what the correction of a clock changes")
    func correction() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            let start = shop.now.date
            try shop.launch()
            let heard = Heard(shop)
            buy("pass", at: start, in: shop)
            shop.setClock(by: 200_000)
            #expect(try shop.unlocks?.spend(2, of: "board") == true)
            #expect(shop.state("lounge")?.isLocked == true)
            shop.setClock(by: -200_000)
            buy("gold", at: start + 1, in: shop)
            #expect(heard.last["lounge"]?.state.isUnlocked == true)
            #expect(shop.state("lounge")?.isUnlocked == true)
            shop.wait(86_401)
            #expect(heard.last["lounge"]?.state.isLocked == true)
        }
    }

    @Test("a use after midnight stays used if the process ends and the clock is set back before midnight")
    func aroundMidnight() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            // The clock is written down only every ten minutes.
            shop.now = shop.now.advanced(by: 86_400 - 60)
            #expect(try shop.unlocks?.spend(of: "board") == true)
            shop.now = shop.now.advanced(by: 120)
            #expect(try shop.unlocks?.spend(3, of: "board") == true)
            #expect(shop.unlocks?.balance(of: "board") == 0)
            shop.end()
            shop.now = shop.now.advanced(by: -120)
            try shop.launch()
            #expect(shop.unlocks?.balance(of: "board") == 0)
        }
    }
}
