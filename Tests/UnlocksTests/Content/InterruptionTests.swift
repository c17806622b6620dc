import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// Content counts as delivered only if all of it is there, whatever happens while it is being delivered.
@MainActor
struct InterruptionTests {
    private static let items = #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]}"#

    /// A shop whose delivery has written one half of the content, and waits.
    private static func shop(
        _ test: @escaping @MainActor (Shop, _ goOn: @escaping @MainActor () -> Void) throws -> Void
    ) throws {
        try Shop.run(.of(items: items)) { shop in
            var waiting: CheckedContinuation<Void, Never>?
            shop.deliver = { delivery in
                let name = delivery.folder.lastPathComponent
                shop.storage.folders[name]?.insert("first half")
                await withCheckedContinuation { waiting = $0 }
                shop.storage.folders[name]?.insert("second half")
            }
            try shop.launch()
            say(shop, isRevoked: false, signed: 1)
            #expect(shop.unlocks?.delivery != nil)
            try test(shop) {
                shop.deliver = { delivery in
                    shop.storage.folders[delivery.folder.lastPathComponent]? = ["first half", "second half"]
                }
                waiting?.resume()
                JobQueue.drain()
            }
            #expect(shop.unlocks?.delivery == nil)
            #expect(shop.store.finished.last == "1")
        }
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

    private static func isWhole(_ shop: Shop) -> Bool {
        shop.storage.folders == ["purchase-1": ["first half", "second half"]] && shop.state("gold")?.isUnlocked == true
    }

    /// A shop whose item has files, on a slow server and a slow disk: half of them are loaded.
    private static func loading(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        let files = #","files":[\#(CatalogItem.File.json("x", "a"))]"#
        let items = #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]\#(files)}"#
        try Shop.run(.of(items: items)) { shop in
            shop.web.seconds = 10
            try shop.launch()
            say(shop, isRevoked: false, signed: 1)
            shop.wait(6)
            #expect(shop.unlocks?.progress(of: "gold-pack")?.completedBytes == 30_000)
            shop.storage.pause = { await shop.takeTime(1) }
            shop.storage.willRemove = { _ in #expect(shop.loader.loading.isEmpty) }
            try test(shop)
            shop.wait(60)
            #expect(shop.problems.isEmpty)
            #expect(shop.web.calls == 2)
            #expect(shop.deliveries.count == 1)
            #expect(shop.state("gold")?.isUnlocked == true)
        }
    }

    @Test("refunded, and the refund taken back, while its files are being loaded")
    func reversedLoading() throws {
        try Self.loading { shop in
            Self.say(shop, isRevoked: true, signed: 2)
            Self.say(shop, isRevoked: false, signed: 3)
        }
    }

    @Test("refunded while it is being delivered")
    func refunded() throws {
        try Self.shop { shop, goOn in
            Self.say(shop, isRevoked: true, signed: 2)
            #expect(shop.storage.folders.isEmpty)
            // What the app writes goes too.
            shop.storage.folders["purchase-1"] = ["second half"]
            goOn()
            #expect(shop.storage.folders.isEmpty)
            #expect(shop.state("gold") == .locked)
        }
    }
}
