import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// Content counts as delivered only if all of it is there, whatever happens while it is being delivered.
@MainActor
struct InterruptionTests {
    private static func shop(files: String = "", _ test: @escaping @MainActor (Shop) throws -> Void) throws {
        let gold = #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"],"files":[\#(files)]}"#
        try Shop.run(.of(items: gold), test)
    }

    private static func say(_ shop: Shop, isRevoked: Bool, signed: Double) {
        let transaction = StoreTransaction(
            id: "1",
            productID: "gold",
            signedDate: Date(timeIntervalSince1970: signed),
            isRevoked: isRevoked
        )
        shop.tell(.verified(transaction))
    }

    @Test("refunded, and the refund taken back, while its files are being loaded")
    func reversedLoading() throws {
        try Self.shop(files: CatalogItem.File.json("x", "a")) { shop in
            shop.web.seconds = 10
            var isCancelled: [Bool] = []
            shop.loader.didLoad = { isCancelled.append($1?.isCancelled ?? false) }
            try shop.launch()
            Self.say(shop, isRevoked: false, signed: 1)
            shop.wait(4)
            // A disk so slow that the first half is still being written when the removal might begin.
            shop.storage.pause = { await shop.takeTime(2) }
            shop.wait(2)
            #expect(shop.unlocks?.progress(of: "gold-pack") != nil)
            shop.storage.willRemove = { _ in #expect(shop.loader.loading.isEmpty) }
            Self.say(shop, isRevoked: true, signed: 2)
            Self.say(shop, isRevoked: false, signed: 3)
            shop.wait(200)
            #expect(shop.problems.isEmpty)
            #expect(isCancelled == [true, false])
            #expect(shop.deliveries.count == 1)
            #expect(shop.state("gold")?.isUnlocked == true)
        }
    }

    @Test("refunded while it is being delivered")
    func refunded() throws {
        try Self.shop { shop in
            var waiting: CheckedContinuation<Void, Never>?
            shop.deliver = { _ in await withCheckedContinuation { waiting = $0 } }
            try shop.launch()
            Self.say(shop, isRevoked: false, signed: 1)
            #expect(shop.unlocks?.delivery != nil)
            Self.say(shop, isRevoked: true, signed: 2)
            #expect(shop.storage.folders.isEmpty)
            // What the app writes goes too, and is never complete.
            shop.storage.folders["purchase-1"] = ["second half"]
            shop.storage.willComplete = { _ in Issue.record("It was refunded.") }
            waiting?.resume()
            JobQueue.drain()
            #expect(shop.storage.folders.isEmpty)
            #expect(shop.state("gold") == .locked)
            #expect(shop.unlocks?.delivery == nil)
            #expect(shop.store.finished.last == "1")
        }
    }

    @Test("what was delivered and refunded is delivered anew if the refund is taken back, and opens then")
    func reversed() throws {
        try Self.shop { shop in
            try shop.launch()
            Self.say(shop, isRevoked: false, signed: 1)
            Self.say(shop, isRevoked: true, signed: 2)
            #expect(shop.state("gold") == .locked && shop.storage.folders.isEmpty)
            shop.deliver = { _ in #expect(shop.state("gold") == .unknown(.beingDelivered)) }
            Self.say(shop, isRevoked: false, signed: 3)
            #expect(shop.state("gold")?.isUnlocked == true && shop.deliveries.count == 2)
        }
    }
}
