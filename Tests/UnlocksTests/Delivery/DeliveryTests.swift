import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// The way of a purchase through the queue.
@MainActor
struct DeliveryTests {
    struct Offline: Error {}

    static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        let items = ["gold", "silver", "bronze"].map {
            #"{"id":"\#($0)-pack","product":"\#($0)","kind":"nonConsumable","grants":["\#($0)"]}"#
        }
        try Shop.run(.of(items: items.joined(separator: ",")), test)
    }

    @Test("one that fails goes to the back of the queue, waits longer each time, and the others go on")
    func failure() throws {
        try Self.shop { shop in
            var tries: [Double] = []
            let start = shop.now.milliseconds
            shop.deliver = { delivery in
                guard delivery.unlocks == ["gold"] else { return }
                tries.append((shop.now.milliseconds - start) / 1_000)
                if tries.count < 15 { throw Offline() }
            }
            try shop.launch()
            shop.tell(.verified(StoreTransaction(id: "gold", productID: "gold")))
            shop.tell(.verified(StoreTransaction(id: "silver", productID: "silver")))
            #expect(shop.unlocks?.state(of: "silver").isUnlocked == true)
            #expect(shop.store.finished == ["silver"])
            shop.wait(30_000)
            #expect(tries.map { $0.rounded() }.prefix(5) == [0, 1, 3, 7, 15])
            let pauses = zip(tries.dropFirst(), tries).map { ($0 - $1).rounded() }
            #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600])
            #expect(shop.unlocks?.state(of: "gold").isUnlocked == true)
            #expect(shop.store.finished == ["silver", "gold"])
            let told = shop.problems.compactMap { if case .notDelivered(_, _, let pause) = $0 { pause } else { nil } }
            #expect(told.count == 14)
            #expect(told.first == 1)
            #expect(told.last == 3_600)
        }
    }

    @Test("a folder's name never climbs out, two never differ by case only, and it is the same in every version")
    func folderNames() throws {
        try Self.shop { shop in
            try shop.launch()
            let longest = String(repeating: "7", count: 40)
            let ids = ["../../up", "abc", "ABC", "1/2", "..", longest, longest + "7"]
            for id in ids { shop.tell(.verified(StoreTransaction(id: id, productID: "gold"))) }
            let names = shop.deliveries.map(\.folder.lastPathComponent)
            #expect(Set(names.map { $0.lowercased() }).count == ids.count)
            // The start of a SHA-256, worked out with another program.
            #expect(names.suffix(2) == ["purchase-" + longest, "purchase-eff2312616ca2e284181cf7e7a372db0"])
            #expect(shop.deliveries.allSatisfy { $0.folder.deletingLastPathComponent().path() == "/content/" })
            #expect(names.allSatisfy { $0.hasPrefix("purchase-") && $0.utf8.count <= 60 })
        }
    }

    @Test("what can't be used is told, isn't finished, and what may be used later is looked at again")
    func keptAside() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.tell(.verified(StoreTransaction(id: "1", productID: "")))
            var other = StoreTransaction(id: "2", productID: "gold", app: "com.example.other")
            other.signedText = "signed text"
            shop.tell(.verified(other))
            shop.tell(.verified(StoreTransaction(id: "3", productID: "gold", productKind: .nonRenewing)))
            shop.tell(.verified(StoreTransaction(id: "4", productID: "lead")))
            let told = shop.problems.map { problem in
                switch problem {
                case .notVerified(let transaction, let reason): "\(reason) \(transaction.id)"
                case .unknownLength(let transaction): "unknown length \(transaction.id)"
                case .unknownProduct(let transaction): "unknown \(transaction.id)"
                default: "\(problem)"
                }
            }
            let reasons = ["It is incomplete. 1", "It belongs to another app. 2"]
            #expect(Set(told) == Set(reasons + ["unknown length 3", "unknown 4"]))
            // Whoever prints them gets a sentence each.
            let sentences = shop.problems.map { "\($0)" }
            #expect(sentences.allSatisfy { $0.hasSuffix(".") && !$0.contains("signed text") && $0.count < 200 })
            #expect(shop.store.finished.isEmpty)
            #expect(shop.unlocks?.state(of: "gold") == .locked)
            try shop.use(.of(items: #"{"id":"l","product":"lead","kind":"nonConsumable","grants":["lead"]}"#))
            #expect(shop.store.finished == ["4"])
            #expect(shop.state("lead")?.isUnlocked == true)
        }
    }

    @Test("a free pack is had once")
    func freePack() throws {
        let items = #"{"id":"three","kind":"consumable","amount":3,"grants":["hint"],"free":true}"#
        try Shop.run(.of(items: items)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            shop.deliver = { _ in throw Offline() }
            var results: [Result<UnlockCenter.Purchase, any Error>] = []
            for _ in 0..<3 {
                results.append(Result { try shop.buy("three") })
                shop.deliver = { _ in }
                if results.count == 2 { shop.wait(10) }
            }
            #expect(unlocks.balance(of: "hint") == 3)
            #expect(shop.deliveries.count == 1)
            #expect(try results[0].get() == .bought)
            #expect(try results[1].get() == .bought, "it isn't delivered yet")
            #expect(throws: UnlocksError.notForSale(.owned)) { try results[2].get() }
        }
    }

    @Test("buying says what became of it, and what isn't for sale isn't asked for")
    func buying() throws {
        let items = #"""
            {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
            {"id":"new","product":"new","kind":"nonConsumable","grants":["new"],"minVersion":"9","belowMinimum":"updateFirst"},
            {"id":"starter","kind":"nonConsumable","grants":["starter"],"free":true}
            """#
        try Shop.run(.of(items: items)) { shop in
            shop.store.products = ["gold"]
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            #expect(throws: UnlocksError.unknownItem("lead")) { try shop.buy("lead") }
            #expect(throws: UnlocksError.notForSale(.updateFirst(minimum: "9"))) { try shop.buy("new") }
            #expect(try shop.buy("starter") == .bought)
            #expect(try shop.buy("gold-pack") == .cancelled)
            #expect(unlocks.state(of: "starter") == .unlocked(by: [.free(item: "starter")]))
            #expect(throws: UnlocksError.notForSale(.owned)) { try shop.buy("starter") }
            shop.store.answer = { _ in .pending }
            #expect(try shop.buy("gold-pack") == .waiting)
            #expect(unlocks.offers[0].state == .waiting)
            shop.store.answer = { _ in throw SimulatedStore.Unreachable() }
            #expect(throws: SimulatedStore.Unreachable.self) { try shop.buy("gold-pack") }
            let bad = StoreStatement.unverified(StoreTransaction(id: "1", productID: "gold"), reason: "forged")
            shop.store.answer = { _ in .purchased(bad) }
            #expect(throws: UnlocksError.notVerified("forged")) { try shop.buy("gold-pack") }
            let foreign = StoreTransaction(id: "1", productID: "gold", app: "com.example.other")
            shop.store.answer = { _ in .purchased(.verified(foreign)) }
            #expect(throws: UnlocksError.notVerified("It belongs to another app.")) { try shop.buy("gold-pack") }
            shop.store.answer = { _ in .purchased(.verified(StoreTransaction(id: "", productID: "gold"))) }
            #expect(throws: UnlocksError.notVerified("It is incomplete.")) { try shop.buy("gold-pack") }
            #expect(unlocks.offers[0].state == .waiting)
            let good = StoreStatement.verified(StoreTransaction(id: "2", productID: "gold"))
            shop.store.answer = { _ in .purchased(good) }
            shop.store.record(good)
            #expect(try shop.buy("gold-pack") == .bought)
            #expect(unlocks.offers[0].state == .owned)
            #expect(unlocks.pendingProducts.isEmpty)
            #expect(shop.store.finished == ["2"])
        }
    }
}
