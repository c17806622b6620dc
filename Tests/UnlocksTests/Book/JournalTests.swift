import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

@testable import Unlocks

/// What is left of a journal that a crash, a full disk or a broken one has damaged.
@MainActor
struct JournalTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#
    private static let names = "a \"name\" with \\ and \u{1F600}, of any\nkind"

    /// A shop with a purchase, a pack of which some is spent, a waiting claim and a reached event.
    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        let rewards = #"{"id":"welcome","grants":["silver"],"after":"never"}"#
        try Shop.run(.of(items: items, rewards: rewards)) { shop in
            shop.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
            shop.store.app = .onIPhone("1")
            try shop.launch()
            for (id, product) in [("1", "gold"), ("2", "hints")] as [(String, ProductID)] {
                shop.tell(.verified(StoreTransaction(id: id, productID: product)))
            }
            // An app that is held would go on beside the next one.
            #expect(try #require(shop.unlocks).spend(3, of: "hint"))
            try shop.unlocks?.claim(Arrival(Referral(referrer: names), road: .opened))
            try shop.unlocks?.recordEvent(EventName(names))
            // From now on the journal alone knows.
            shop.end()
            shop.store.app = nil
            shop.store.forgetAll()
            try test(shop)
        }
    }

    private static func lines(_ shop: Shop) -> [String] {
        String(decoding: shop.storage.journal, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func isWhole(_ unlocks: UnlockCenter) -> Bool {
        unlocks.state(of: "gold").isUnlocked && unlocks.state(of: "pro").isUnlocked && unlocks.balance(of: "hint") == 7
    }

    @Test("the store's answers don't make the journal grow, and the latest one of each environment stays")
    func answers() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            for environment in [StoreEnvironment.sandbox, .production] {
                shop.store.environment = environment
                try shop.launch()
                for _ in 0..<200 { shop.refresh() }
            }
            shop.store.isReachable = false
            for environment in [StoreEnvironment.sandbox, .production, .xcode] {
                shop.store.environment = environment
                try shop.launch()
                let isLocked = shop.unlocks?.state(of: "gold") == .locked
                #expect(Self.lines(shop).count < 10)
                #expect(isLocked == (environment != .xcode))
            }
        }
    }

    @Test("the journal alone tells all that there was")
    func readBack() throws {
        try Self.shop { shop in
            for _ in 0..<3 {
                try shop.launch()
                #expect(Self.isWhole(try #require(shop.unlocks)))
                #expect(shop.problems.isEmpty)
            }
        }
    }

    @Test("a damaged line is reported, and the others count")
    func damagedLine() throws {
        try Self.shop { shop in
            let spent = try #require(Self.lines(shop).firstIndex { $0.contains("spent") })
            let start = Self.lines(shop)[..<spent].reduce(0) { $0 + $1.utf8.count + 1 }
            shop.storage.damage { $0[start + 30] = 0 }
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            #expect(unlocks.state(of: "gold").isUnlocked)
            #expect(unlocks.balance(of: "hint") == 10)
            let told = shop.problems.compactMap { if case .damagedJournal(let lines) = $0 { lines } else { nil } }
            #expect(told == [[spent + 1]])
        }
    }

    @Test("a journal of a newer version is refused, and left as it is")
    func newerFormat() throws {
        try Self.shop { shop in
            let newer = Journal.text(of: [.format(Journal.currentFormat + 1)])
            shop.storage.damage { $0 = newer }
            #expect(throws: UnlocksError.newerJournal) { try shop.launch() }
            #expect(shop.storage.journal == newer)
        }
    }

    @Test("on a full disk nothing counts that isn't written, and a spend gives its doses back")
    func fullDisk() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            shop.storage.next = { .fails }
            let full = UnlocksError.storage("The disk is full.")
            #expect(throws: full) { try unlocks.spend(of: "hint") }
            #expect(throws: full) { try unlocks.recordEvent("first-board") }
            #expect(throws: full) { try unlocks.claim(Arrival(Referral(referrer: "ben"), road: .opened)) }
            #expect(Self.isWhole(unlocks))
            shop.storage.next = { .succeeds }
            #expect(try unlocks.claim(Arrival(Referral(referrer: "ben"), road: .opened)) == [], "it waits already")
            #expect(try unlocks.spend(7, of: "hint"))
        }
    }

    @Test(
        "a purchase in an absurd quantity counts as one to a thousand",
        arguments: [(Int.max, 1_000), (1_001, 1_000), (1_000, 1_000), (0, 1), (Int.min, 1)]
    )
    func quantity(quantity: Int, counted: Int) throws {
        let items = #"""
            {"id":"hints","product":"hints","kind":"consumable","amount":1000000,"grants":["hint"]},
            {"id":"pass","product":"pass","kind":"nonRenewing","days":3650,"grants":["pro"]}
            """#
        try Shop.run(.of(items: items)) { shop in
            try shop.launch()
            for product in ["hints", "pass"] as [ProductID] {
                let purchase = StoreTransaction(
                    id: product.rawValue,
                    productID: product,
                    quantity: quantity,
                    purchaseDate: shop.now.date
                )
                shop.store.recordSilently(.verified(purchase))
                shop.store.announce(.verified(purchase))
            }
            JobQueue.drain()
            for _ in 0..<2 {
                #expect(shop.unlocks?.balance(of: "hint") == .left(counted * 1_000_000))
                #expect(shop.state("pro")?.isUnlocked == true)
                try shop.launch()
            }
            shop.wait(Double(counted) * 3_650 * 86_400)
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test("of two uses at once with enough for one, one succeeds")
    func twoAtOnce() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var results: [Bool] = []
            for _ in 0..<3 { _ = Task { results.append(try await unlocks.spend(3, of: "hint")) } }
            JobQueue.drain()
            #expect(results == [true, true, false])
            #expect(unlocks.balance(of: "hint") == 1)
        }
    }
}
