import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// The system may launch an app before the device is unlocked for the first time, when no file can be read.
@MainActor
struct LockedDeviceTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]},
        {"id":"extra","kind":"nonConsumable","grants":["extra"],"product":"extra","includedIn":["full"]}
        """#
    private static let rewards = #"{"id":"welcome","grants":["silver"]}"#

    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items, rewards: rewards)) { shop in
            try shop.launch()
            for (id, product) in [("1", "gold"), ("2", "hints")] as [(String, ProductID)] {
                let statement = StoreStatement.verified(StoreTransaction(id: id, productID: product))
                shop.tell(statement)
            }
            shop.wait(1)
            shop.end()
            (shop.storage.isLocked, shop.protectedData.isAvailable) = (true, false)
            try test(shop)
        }
    }

    private static func unlock(_ shop: Shop) {
        shop.storage.isLocked = false
        shop.protectedData.isAvailable = true
        JobQueue.drain()
    }

    @Test("on a locked device nothing is known, nothing is locked, and the shop opens by itself once it is unlocked")
    func opensLater() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "gold" { seen.append(change.state) }
            }
            JobQueue.drain()
            #expect(seen == [.unknown(.deviceLocked)])
            #expect(unlocks.state(of: "silver") == .unknown(.deviceLocked))
            #expect(throws: UnlocksError.deviceLocked) { try unlocks.spend(of: "hint") }
            #expect(throws: UnlocksError.deviceLocked) { try unlocks.reset() }
            #expect(throws: UnlocksError.deviceLocked) { try unlocks.recordEvent("first-board") }
            #expect(throws: UnlocksError.deviceLocked) {
                try unlocks.claim(Arrival(Referral(referrer: "anna"), road: .opened))
            }
            let wakings = shop.wakings
            shop.wait(100)
            #expect(shop.wakings == wakings, "the app isn't woken before the device is unlocked")
            Task { await unlocks.refresh() }
            shop.activity.becomeActive()
            shop.wait(10_000)
            #expect(shop.store.finished == ["1", "2"], "nothing was finished meanwhile")
            shop.context.edition = "full"
            unlocks.context = shop.context
            #expect(unlocks.state(of: "extra") == .unlocked(by: [.included]))
            Self.unlock(shop)
            #expect(seen.last == .unlocked(by: [.purchase(transaction: "1")]))
            #expect(try unlocks.spend(3, of: "hint"))
            #expect(unlocks.balance(of: "hint") == 7)
            #expect(unlocks.state(of: "silver").isUnlocked, "the claim wasn't lost")
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("what is bought on a locked device isn't finished, and is delivered once it is unlocked")
    func boughtMeanwhile() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.store.record(.verified(StoreTransaction(id: "3", productID: "hints")))
            shop.wait(10_000)
            #expect(shop.store.unfinished == ["3"])
            Self.unlock(shop)
            #expect(shop.store.unfinished.isEmpty)
            #expect(shop.unlocks?.balance(of: "hint") == 20)
        }
    }

    @Test("an app that starts the shop only after the device was unlocked gets all of it")
    func startedLater() throws {
        try Self.shop { shop in
            let unlocks = shop.makeUnlocks()
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "gold" { seen.append(change.state) }
            }
            JobQueue.drain()
            Self.unlock(shop)
            #expect(seen == [.unknown(.notOpened)])
            #expect(throws: UnlocksError.notStarted) { try unlocks.spend(of: "hint") }
            unlocks.start()
            JobQueue.drain()
            #expect(seen.last?.isUnlocked == true)
            #expect(unlocks.balance(of: "hint") == 10)
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("the work starts once, however often the device is unlocked")
    func once() throws {
        try Self.shop { shop in
            try shop.launch()
            for _ in 0..<3 { Self.unlock(shop) }
            var bought: [ProductID] = []
            shop.store.answer = { product in
                bought.append(product)
                return .cancelled
            }
            shop.store.promote("hints")
            JobQueue.drain()
            #expect(bought == ["hints"])
        }
    }

    @Test("a folder that can't be opened after the unlock is reported, and opened the next time")
    func stillFails() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.protectedData.isAvailable = true
            JobQueue.drain()
            shop.wait(10)
            let told = shop.problems.count { if case .notOpened = $0 { true } else { false } }
            #expect(told == 1, "it is reported once")
            #expect(shop.unlocks?.state(of: "gold") == .unknown(.notOpened))
            Self.unlock(shop)
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
        }
    }

    @Test("on a device that isn't locked, a folder that can't be opened is an error")
    func notLocked() throws {
        try Self.shop { shop in
            shop.protectedData.isAvailable = true
            #expect(throws: UnlocksError.storage("Operation not permitted")) { try shop.launch() }
        }
    }

    @Test("an opening that failed and is tried again at once leaves no pause behind")
    func openedAgain() throws {
        try Self.shop { shop in
            shop.protectedData.isAvailable = true
            shop.storage.pause = { await shop.takeTime(1) }
            try shop.launch()
            shop.refresh()
            shop.wait(1.5)
            shop.storage.isLocked = false
            shop.wait(60)
            shop.storage.pause = {}
            #expect(shop.state("gold")?.isUnlocked == true)

            shop.storage.next = { .fails }
            #expect(throws: UnlocksError.self) {
                try shop.unlocks?.claim(Arrival(Referral(referrer: "anna"), road: .opened))
            }
            shop.storage.next = { .succeeds }
            shop.wait(10)
            #expect(shop.state("silver")?.isUnlocked == true)
        }
    }
}
