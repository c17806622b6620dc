import Foundation
import ReferralBridge
import Simulation
import Testing
import Unlocks

/// When the store is asked, which answer counts, and what is open until then.
@MainActor
struct AnswerTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"lasting","grants":["gold"]},
        {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]}
        """#
    private static let day = 86_400.0

    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items)) { shop in
            shop.store.now = { shop.now.date }
            try test(shop)
        }
    }

    private func refresh(_ shop: Shop) {
        guard let unlocks = shop.unlocks else { return }
        Task { await unlocks.refresh() }
        JobQueue.drain()
    }

    private func state(_ unlock: String, _ shop: Shop) -> UnlockState? { shop.unlocks?.state(of: unlock) }

    // MARK: Whether it is an answer

    @Test("an owner who reinstalls the app offline isn't locked out, and hears what they have once they are online")
    func reinstalledOffline() throws {
        try Self.shop { shop in
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", product: "gold")))
            shop.store.isReachable = false
            for _ in 0..<2 {
                try shop.launch()
                #expect(state("gold", shop) == .unknown(.storeNotAsked))
            }
            shop.store.isReachable = true
            refresh(shop)
            #expect(state("gold", shop)?.isUnlocked == true && state("pro", shop) == .locked)
        }
    }

    @Test("an answer is on the disk, and counts at the next launch that is offline")
    func isKept() throws {
        try Self.shop { shop in
            try shop.launch()
            #expect(state("gold", shop) == .locked)
            shop.store.isReachable = false
            try shop.launch()
            #expect(state("gold", shop) == .locked)
        }
    }

    @Test("an answer counts on a full disk, too")
    func fullDisk() throws {
        try Self.shop { shop in
            shop.store.isReachable = false
            try shop.launch()
            shop.store.isReachable = true
            shop.storage.next = { .fails }
            refresh(shop)
            #expect(state("gold", shop) == .locked)
        }
    }

    @Test("if nothing is for sale, nothing waits for the store")
    func nothingForSale() throws {
        let starter = #"{"id":"starter","kind":"lasting","grants":["starter"],"free":true}"#
        try Shop.run(.of(items: starter)) { shop in
            shop.store.isReachable = false
            try shop.launch()
            #expect(state("starter", shop) == .locked)
        }
    }

    // MARK: Subscriptions

    private func subscribe(_ shop: Shop, _ id: String = "1", for seconds: Double) {
        let now = shop.now.date
        let statement = StoreStatement.verified(
            StoreTransaction(id: id, product: "pro", signedDate: now, expirationDate: now + seconds)
        )
        shop.store.record(statement)
        shop.store.announce(statement)
        JobQueue.drain()
    }

    @Test("a subscription that isn't renewed ends with the first answer after its end, and a renewal opens it again")
    func subscription() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var seen: [Bool] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "pro" { seen.append(change.state.isUnlocked) }
            }
            subscribe(shop, for: 100)
            shop.wait(99)
            refresh(shop)
            #expect(state("pro", shop)?.isUnlocked == true)
            shop.wait(1)
            refresh(shop)
            #expect(state("pro", shop) == .locked && seen == [false, true, false])
            subscribe(shop, "2", for: 100)
            #expect(state("pro", shop) == .unlocked(by: [.purchase(transaction: "2")]))
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("a subscriber who stays offline is let in for three days, and then nobody knows, as views hear")
    func offlineSubscriber() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "pro" { seen.append(change.state) }
            }
            subscribe(shop, for: 100)
            shop.store.isReachable = false
            shop.wait(100 + 3 * Self.day - 1)
            refresh(shop)
            #expect(state("pro", shop)?.isUnlocked == true)
            shop.wait(1.01)
            #expect(seen.last == .unknown(.storeNotAsked) && state("pro", shop) == seen.last)
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("a list alone, which may be StoreKit's own copy, is no answer about a subscription that has expired")
    func listAlone() throws {
        try Self.shop { shop in
            let gold = StoreStatement.verified(StoreTransaction(id: "9", product: "gold"))
            shop.store.recordSilently(gold)
            try shop.launch()
            subscribe(shop, for: 100)
            shop.store.isReachable = false
            shop.store.listed = [gold]
            shop.wait(100)
            refresh(shop)
            #expect(state("pro", shop)?.isUnlocked == true, "a renewed subscriber who is offline isn't locked out")
            // Nor does it prolong one.
            shop.store.listed = shop.store.statements
            shop.wait(2 * Self.day)
            refresh(shop)
            shop.wait(Self.day)
            #expect(state("pro", shop) == .unknown(.storeNotAsked))
        }
    }

    @Test("in its grace period a subscription is listed, and stays open, also with a clock that is years ahead")
    func grace() throws {
        try Self.shop { shop in
            try shop.launch()
            subscribe(shop, for: 100)
            shop.store.listed = shop.store.statements
            for pause in [100, 10 * Self.day, 2_000 * Self.day] {
                shop.wait(pause)
                refresh(shop)
                #expect(state("pro", shop)?.isUnlocked == true)
            }
            shop.store.listed = []
            refresh(shop)
            #expect(state("pro", shop) == .locked)
        }
    }

    @Test("a subscription that is bought while the clock is years ahead is open, without another answer too")
    func clockAhead() throws {
        try Self.shop { shop in
            shop.now = shop.now.advanced(by: 2_000 * Self.day)
            try shop.launch()
            shop.now = shop.now.advanced(by: -2_000 * Self.day)
            let signed = shop.now.date
            shop.now = shop.now.advanced(by: 2_000 * Self.day)
            shop.store.isReachable = false
            let end = signed + 100
            let transaction = StoreTransaction(id: "1", product: "pro", signedDate: signed, expirationDate: end)
            shop.store.record(.verified(transaction))
            shop.store.announce(.verified(transaction))
            JobQueue.drain()
            #expect(state("pro", shop)?.isUnlocked == true)
            try shop.launch()
            #expect(state("pro", shop)?.isUnlocked == true)
            shop.store.isReachable = true
            shop.store.listed = []
            refresh(shop)
            #expect(state("pro", shop) == .locked)
        }
    }

    @Test("of two questions that overlap, the answer to the later one counts")
    func overlapping() throws {
        try Self.shop { shop in
            try shop.launch()
            subscribe(shop, for: 100)
            shop.wait(100)
            let unlocks = try #require(shop.unlocks)
            // The first question waits with the products.
            shop.store.answersProducts = false
            shop.store.listed = []
            Task { await unlocks.refresh() }
            JobQueue.drain()
            shop.store.listed = shop.store.statements
            Task { await unlocks.refresh() }
            JobQueue.drain()
            shop.store.answerProducts(inOrder: [1, 0])
            JobQueue.drain()
            #expect(state("pro", shop)?.isUnlocked == true)
        }
    }

    // MARK: When it is asked

    @Test("the store is asked again when the app becomes active, at most every 15 minutes")
    func activation() throws {
        try Self.shop { shop in
            try shop.launch()
            var asked = shop.store.askedProducts
            @MainActor func isAsked() -> Bool {
                shop.activity.becomeActive()
                JobQueue.drain()
                defer { asked = shop.store.askedProducts }
                return shop.store.askedProducts > asked
            }
            #expect(!isAsked())
            shop.wait(899)
            #expect(!isAsked())
            shop.wait(1)
            #expect(isAsked() && !isAsked())
            shop.now = shop.now.advanced(by: -10)
            #expect(isAsked() && !isAsked())
        }
    }

    @Test("the store is asked again when a purchase sheet closes, whatever came of it")
    func sheet() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            let answers: [@MainActor (String) throws -> StorePurchaseResult] = [
                { _ in .cancelled }, { _ in .pending }, { _ in throw SimulatedStore.Unreachable() },
            ]
            for answer in answers {
                let asked = shop.store.askedProducts
                shop.store.answer = answer
                Task { try? await unlocks.buy("gold-pack") }
                JobQueue.drain()
                #expect(shop.store.askedProducts == asked + 1)
            }
        }
    }

    @Test("another storefront has other prices, so they are asked for again")
    func storefront() throws {
        try Self.shop { shop in
            try shop.launch()
            let asked = shop.store.askedProducts
            shop.store.products = ["gold"]
            shop.store.changeStorefront()
            JobQueue.drain()
            #expect(shop.store.askedProducts == asked + 1 && shop.unlocks?.products?.keys.sorted() == ["gold"])
        }
    }

    // MARK: The app's own purchase

    private func paidApp(_ version: String = "1", isRevoked: Bool = false) -> AppPurchase {
        AppPurchase(
            id: "app",
            isVerified: true,
            isRevoked: isRevoked,
            originalPlatform: .iOS,
            originalVersion: version,
            originalPurchase: Date(timeIntervalSince1970: 0)
        )
    }

    @Test("the app transaction, which may ask for a sign-in, is asked for only until it says yes")
    func appTransaction() throws {
        try Self.shop { shop in
            shop.paidBefore = PaidBefore(grants: ["gold"], switches: [.iOS: "2"])
            try shop.launch()
            refresh(shop)
            #expect(shop.store.askedApp == 2 && state("gold", shop) == .unknown(.paidBefore(.notAvailable)))
            shop.store.app = paidApp()
            refresh(shop)
            #expect(shop.store.askedApp == 3 && state("gold", shop) == .unlocked(by: [.paidBefore]))
            refresh(shop)
            try shop.launch()
            #expect(shop.store.askedApp == 3 && state("gold", shop) == .unlocked(by: [.paidBefore]))
            #expect(shop.store.appRefreshes == 0)
            shop.paidBefore = nil
            try shop.launch()
            #expect(shop.store.askedApp == 3, "without a rule nobody asks")
        }
    }

    @Test(
        "a platform that the store doesn't name decides nothing",
        arguments: [
            ("unknown", true), ("managed", true), ("", true), ("watchOS", true), ("iOS", true),
            ("macOS", nil), ("tvOS", nil), ("visionOS", nil),
        ] as [(String, Bool?)]
    )
    func originalPlatform(name: String, answer: Bool?) {
        var (purchase, kept) = (paidApp(), PaidBefore.Kept?.none)
        purchase.originalPlatform = Platform(rawValue: name)
        let rule = PaidBefore(grants: ["pro"], switches: [.iOS: "2"])
        #expect(rule.judge(purchase, on: .iOS, kept: &kept).isYes == answer)
    }

    // MARK: Restoring

    private func restore(_ shop: Shop) throws -> Unlocks.Restoration {
        let unlocks = try #require(shop.unlocks)
        var result: Result<Unlocks.Restoration, any Error>?
        Task {
            do { result = .success(try await unlocks.restore()) } catch { result = .failure(error) }
        }
        JobQueue.drain()
        return try #require(result).get()
    }

    @Test("restoring says what it found, that everything was here, or that there is nothing")
    func restoring() throws {
        try Self.shop { shop in
            try shop.launch()
            #expect(try restore(shop) == .nothingFound)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", product: "gold")))
            #expect(try restore(shop) == .found(["gold"]))
            #expect(try restore(shop) == .nothingNew)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", product: "gold", isRevoked: true)))
            #expect(try restore(shop) == .nothingFound)
            shop.store.recordSilently(.verified(StoreTransaction(id: "2", product: "lead")))
            #expect(try restore(shop) == .nothingNew, "something was bought that this catalogue doesn't know")
        }
    }

    @Test("restoring asks for a new copy of the app transaction, which may revoke a yes that was kept")
    func restoringTheApp() throws {
        try Self.shop { shop in
            shop.paidBefore = PaidBefore(grants: ["extra"], switches: [.iOS: "2"])
            try shop.launch()
            shop.store.app = paidApp()
            #expect(try restore(shop) == .found(["extra"]) && shop.store.appRefreshes == 1)
            #expect(try restore(shop) == .nothingNew && shop.store.appRefreshes == 2)
            shop.store.app = paidApp(isRevoked: true)
            #expect(try restore(shop) == .nothingFound && state("extra", shop) == .locked)
        }
    }

    @Test("restoring throws the store's error, and uses what the store lists all the same")
    func restoringFails() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.store.listed = [.verified(StoreTransaction(id: "1", product: "gold"))]
            shop.store.isReachable = false
            #expect(throws: SimulatedStore.Unreachable.self) { try restore(shop) }
            #expect(state("gold", shop)?.isUnlocked == true)
        }
    }

    // MARK: Outside of the app

    @Test("a promoted product is bought, unless the app puts it off; what the catalogue doesn't know is reported")
    func promoted() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var bought: [String] = []
            shop.store.answer = { product in
                bought.append(product)
                return .cancelled
            }
            shop.store.promote("gold")
            JobQueue.drain()
            #expect(bought == ["gold"] && shop.problems.isEmpty)
            var offered: [String] = []
            unlocks.onPurchaseIntent = { item in
                offered.append(item.id)
                return item.id == "pro"
            }
            for product in ["gold", "pro", "lead"] { shop.store.promote(product) }
            JobQueue.drain()
            #expect(bought == ["gold", "pro"] && offered == ["gold-pack", "pro"])
            shop.store.answer = { _ in throw SimulatedStore.Unreachable() }
            shop.store.promote("pro")
            JobQueue.drain()
            let failed = shop.problems.compactMap { if case .notBought(let product, _) = $0 { product } else { nil } }
            #expect(failed == ["lead", "pro"])
        }
    }
}
