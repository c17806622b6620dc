import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing

@testable import Unlocks

/// Until when a subscription is open, and what is known after that.
@MainActor
struct SubscriptionEndTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]}
        """#
    private static let day = 86_400.0

    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items)) { shop in
            shop.store.now = { shop.now.date }
            try test(shop)
        }
    }

    /// Buys a subscription, now or when the store's clock says, which may be behind the device's.
    private func subscribe(_ shop: Shop, _ id: String = "1", for seconds: Double, signed: Date? = nil) {
        let signed = signed ?? shop.now.date
        let statement = StoreStatement.verified(
            StoreTransaction(id: id, productID: "pro", signedDate: signed, expirationDate: signed + seconds)
        )
        shop.tell(statement)
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
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.wait(1)
            shop.refresh()
            #expect(shop.state("pro") == .locked)
            #expect(seen == [false, true, false])
            subscribe(shop, "2", for: 100)
            #expect(shop.state("pro") == .unlocked(by: [.purchase(transaction: "2")]))
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("an upgraded plan, which ends when it is signed, ends once, however often the store signs it anew")
    func endOfAnUpgradedPlan() throws {
        try Self.shop { shop in
            try shop.launch()
            let start = shop.now.date
            subscribe(shop, for: 1_000)
            #expect(shop.state("pro")?.isUnlocked == true)
            for signed in [100.0, 200, 300] {
                shop.now = Timestamp(start + signed)
                subscribe(shop, for: 0, signed: start + signed)
                let plan = try #require(shop.unlocks?.catalog.item(named: "pro"))
                #expect(shop.unlocks?.purchase(of: plan)?.expirationDate == Timestamp(start + 100).date)
            }
            // The store may prolong a period.
            subscribe(shop, for: 1_600, signed: start + 400)
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("an upgraded plan that the store lists isn't open for it, and the list is an answer about others")
    func upgradedPlanInList() throws {
        try Self.shop { shop in
            try shop.launch()
            let start = shop.now.date
            subscribe(shop, "2", for: 150)
            subscribe(shop, for: 1_000)
            for signed in [100.0, 200, 200] {
                shop.now = Timestamp(start + signed)
                let upgraded = StoreTransaction(
                    id: "1",
                    productID: "pro",
                    signedDate: start + signed,
                    expirationDate: start + signed
                )
                shop.store.listed = [.verified(upgraded)]
                shop.refresh()
                #expect(shop.state("pro") == (signed < 150 ? .unlocked(by: [.purchase(transaction: "2")]) : .locked))
            }
            let journal = shop.storage.journal
            shop.refresh()
            #expect(shop.storage.journal == journal, "a statement that is there already isn't written again")
        }
    }

    @Test("what had ended before the store was asked isn't listed because its transaction arrives after the list")
    func endedBefore() throws {
        try Self.shop { shop in
            let start = shop.now.date
            let gold = StoreTransaction(id: "2", productID: "gold", signedDate: start + 5_000)
            shop.store.record(.verified(gold))
            shop.now = Timestamp(start + 5_000)
            try shop.launch()
            #expect(shop.state("pro") == .locked)
            let statement = StoreStatement.verified(
                StoreTransaction(id: "1", productID: "pro", signedDate: start, expirationDate: start + 1_000)
            )
            shop.store.announce(statement)
            JobQueue.drain()
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test("of several purchases, the one that runs is named, whichever the store tells last")
    func running() throws {
        try Self.shop { shop in
            try shop.launch()
            let start = shop.now.date
            // Two periods, the present one first, and then a family member's.
            let periods: [(id: String, from: Double, isShared: Bool)] = [
                ("2", 0, false), ("1", -1_000, false), ("3", 10, true),
            ]
            for (id, from, isShared) in periods {
                let statement = StoreStatement.verified(
                    StoreTransaction(
                        id: id,
                        productID: "pro",
                        isFamilyShared: isShared,
                        purchaseDate: start + from,
                        signedDate: start + from,
                        expirationDate: start + from + 1_000
                    )
                )
                shop.tell(statement)
            }
            let unlocks = try #require(shop.unlocks)
            let plan = try #require(unlocks.catalog.item(named: "pro"))
            #expect(unlocks.purchase(of: plan)?.id == "2")
            shop.wait(5_000)
            shop.refresh()
            #expect(unlocks.purchase(of: plan)?.id == "2", "the last one, when all have ended")
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
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.wait(1.01)
            #expect(seen.last == .unknown(.storeNotAsked))
            #expect(shop.state("pro") == seen.last)
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("a list alone, which may be StoreKit's own copy, is no answer about a subscription that has expired")
    func listAlone() throws {
        try Self.shop { shop in
            let gold = StoreStatement.verified(StoreTransaction(id: "9", productID: "gold"))
            shop.store.recordSilently(gold)
            try shop.launch()
            subscribe(shop, for: 100)
            shop.store.isReachable = false
            shop.store.listed = [gold]
            shop.wait(100)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true, "a renewed subscriber who is offline isn't locked out")
            // Nor does it prolong one.
            shop.store.listed = shop.store.statements
            shop.wait(2 * Self.day)
            shop.refresh()
            shop.wait(Self.day)
            #expect(shop.state("pro") == .unknown(.storeNotAsked))
        }
    }

    @Test("the system's own copy of the app transaction is no answer about a subscription that has expired")
    func copyOfAppTransaction() throws {
        try Self.shop { shop in
            var app = AppPurchase.onIPhone("2", signed: shop.now.date)
            shop.paidBefore = PaidBefore(grants: ["extra"], firstFreeVersions: [.iOS: "2"])
            (shop.store.app, shop.store.appCopy) = (app, app)
            try shop.launch()
            subscribe(shop, for: 100)
            (shop.store.isReachable, shop.store.listed) = (false, [])
            shop.wait(100)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true, "a renewed subscriber who is offline isn't locked out")
            app.signedDate = shop.now.date
            shop.store.appCopy = app
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true, "the copy is newer, and the store isn't reached")
            shop.wait(1)
            app.signedDate = shop.now.date
            (shop.store.app, shop.store.isReachable, shop.store.products) = (app, true, [])
            shop.refresh()
            #expect(shop.state("pro") == .locked, "a new statement of a store that is reached is one")
        }
    }

    @Test("a list that may come from a cache doesn't silence the late answer of the store")
    func lateAnswer() throws {
        try Self.shop { shop in
            let gold = StoreStatement.verified(StoreTransaction(id: "9", productID: "gold"))
            shop.store.recordSilently(gold)
            try shop.launch()
            subscribe(shop, for: 100)
            shop.store.isReachable = false
            shop.wait(10 * 86_400)
            (shop.store.isReachable, shop.store.listed, shop.store.unanswered) = (true, [], [.history])
            shop.refresh()
            (shop.store.isReachable, shop.store.listed) = (false, [gold])
            shop.refresh()
            (shop.store.isReachable, shop.store.unanswered) = (true, [])
            JobQueue.drain()
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test("a list alone doesn't take back an answer that has ended a subscription")
    func listAfterAnswer() throws {
        try Self.shop { shop in
            let gold = StoreStatement.verified(StoreTransaction(id: "9", productID: "gold"))
            shop.store.recordSilently(gold)
            try shop.launch()
            subscribe(shop, for: 100)
            shop.store.listed = [gold]
            shop.wait(100)
            shop.refresh()
            #expect(shop.state("pro") == .locked)
            shop.store.isReachable = false
            shop.wait(1)
            shop.refresh()
            #expect(shop.state("pro") == .locked)
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
                shop.refresh()
                #expect(shop.state("pro")?.isUnlocked == true)
            }
            shop.store.listed = []
            shop.refresh()
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test(
        "a clock that was ahead when the store listed a subscription doesn't keep it open for years offline",
        arguments: [false, true],
        [false, true]
    )
    func clockAheadOnce(isAskedAgain: Bool, isRelaunched: Bool) throws {
        try Self.shop { shop in
            try shop.launch()
            subscribe(shop, for: 10 * Self.day)
            shop.store.listed = shop.store.statements
            shop.setClock(by: 3_000 * Self.day)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.setClock(by: -2_999 * Self.day)
            if isAskedAgain { shop.refresh() }
            shop.store.isReachable = false
            shop.store.listed = []
            if isRelaunched { try shop.launch() }
            let unlocks = try #require(shop.unlocks)
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "pro" { seen.append(change.state) }
            }
            JobQueue.drain()
            // Without another answer, the store may have listed it in its longest grace period.
            let days = isAskedAgain ? 10 + 3 : 10 + 28 + 3.0
            shop.wait(days * Self.day - Self.day - 1)
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.wait(1.01)
            #expect(seen.last == .unknown(.storeNotAsked))
            #expect(shop.state("pro") == seen.last)
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("in its grace period a subscription stays open after a clock that was ahead, and after one that was behind")
    func graceAfterClockAhead() throws {
        for jump in [3_000 * Self.day, -3_000 * Self.day] {
            try Self.shop { shop in
                try shop.launch()
                subscribe(shop, for: 100)
                shop.store.listed = shop.store.statements
                let start = shop.now.date
                shop.wait(1_000)
                shop.now = shop.now.advanced(by: jump)
                shop.refresh()
                #expect(shop.state("pro")?.isUnlocked == true)
                for day in 1...27 {
                    shop.now = Timestamp(start + Double(day) * Self.day)
                    if day % 3 == 0 { shop.refresh() }
                    #expect(shop.state("pro")?.isUnlocked == true, "\(jump), day \(day)")
                }
            }
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
            subscribe(shop, for: 100, signed: signed)
            #expect(shop.state("pro")?.isUnlocked == true)
            try shop.launch()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.store.isReachable = true
            shop.store.listed = []
            shop.refresh()
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test("an answer doesn't end a subscription that was bought while its question waited")
    func boughtDuringQuestion() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.now = shop.now.advanced(by: 2_000 * Self.day)
            shop.refresh()
            shop.store.now = { shop.now.date - 2_000 * Self.day }
            shop.store.answersProducts = false
            shop.refresh()
            subscribe(shop, for: 100, signed: shop.store.now())
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.store.answerProducts()
            JobQueue.drain()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("an empty list that was made before a subscription was bought doesn't end it")
    func boughtAfterList() throws {
        try Self.shop { shop in
            try shop.launch()
            shop.now = shop.now.advanced(by: 2_000 * Self.day)
            shop.refresh()
            (shop.store.unanswered, shop.store.isStale) = ([.entitlements], true)
            shop.refresh()
            subscribe(shop, for: 100, signed: shop.now.date - 2_000 * Self.day)
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("an answer is of the moment of its question: what ends while it waits isn't ended by it")
    func endsDuringQuestion() throws {
        try Self.shop { shop in
            try shop.launch()
            subscribe(shop, for: 100)
            (shop.store.listed, shop.store.unanswered) = ([], [.entitlements])
            shop.refresh()
            shop.wait(100)
            shop.store.unanswered = []
            JobQueue.drain()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("a subscription that the store lists again is open for three days more, and views hear of the end")
    func listedAgain() throws {
        try Self.shop { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "pro" { seen.append(change.state) }
            }
            subscribe(shop, for: 100)
            shop.store.isReachable = false
            shop.wait(10 * Self.day)
            #expect(seen.last == .unknown(.storeNotAsked))
            (shop.store.isReachable, shop.store.listed) = (true, shop.store.statements)
            shop.refresh()
            #expect(seen.last?.isUnlocked == true)
            shop.wait(3 * Self.day + 1)
            #expect(seen.last == .unknown(.storeNotAsked))
            task.cancel()
            JobQueue.drain()
        }
    }

    @Test("a clock that was ahead ends nothing for good: once the store signs something, the time paid for counts")
    func clockCorrected() throws {
        try Self.shop { shop in
            try shop.launch()
            subscribe(shop, for: 10 * Self.day)
            shop.store.listed = []
            shop.now = shop.now.advanced(by: 20 * Self.day)
            shop.refresh()
            #expect(shop.state("pro") == .locked)
            shop.now = shop.now.advanced(by: -20 * Self.day)
            #expect(shop.state("pro") == .locked, "setting the clock back opens nothing")
            shop.wait(1)
            let gold = StoreTransaction(id: "2", productID: "gold", signedDate: shop.now.date)
            shop.store.announce(.verified(gold))
            JobQueue.drain()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.wait(13 * Self.day)
            #expect(shop.state("pro")?.isUnlocked == false)
        }
    }

    @Test("of subscriptions that arrive after an answer, those that were signed while they lasted are open")
    func arriveLater() throws {
        try Self.shop { shop in
            shop.now = shop.now.advanced(by: 2_000 * Self.day)
            try shop.launch()
            shop.store.isReachable = false
            let past = shop.now.date - 2_000 * Self.day
            @MainActor func arrive(_ id: String, signed: Date?, end: Date) {
                let transaction = StoreTransaction(id: id, productID: "pro", signedDate: signed, expirationDate: end)
                shop.tell(.verified(transaction))
            }
            arrive("1", signed: past + 1_000, end: past + 1_000)
            #expect(shop.state("pro") == .locked)
            arrive("2", signed: past, end: past + 1_000)
            arrive("3", signed: nil, end: past + 1_000)
            // At the very moment of the answer.
            arrive("4", signed: past, end: shop.now.date)
            let open = ["2", "3", "4"].map { Evidence.purchase(transaction: $0) }
            #expect(shop.state("pro") == .unlocked(by: open))
            try shop.launch()
            #expect(shop.state("pro") == .unlocked(by: open))
        }
    }

    @Test("of two statements without dates and with the same end the first one stays, and nothing is written")
    func sameEnd() throws {
        try Self.shop { shop in
            try shop.launch()
            let end = shop.now.date + 100
            @MainActor func announce(_ purchased: Date) {
                let sold = StoreTransaction(id: "1", productID: "pro", purchaseDate: purchased, expirationDate: end)
                shop.store.announce(.verified(sold))
                JobQueue.drain()
            }
            announce(end - 200)
            let journal = shop.storage.journal
            announce(end - 300)
            #expect(shop.storage.journal == journal)
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("where only a list has ever arrived, nothing has ended, and what arrives later makes no answer of it")
    func onlyList() throws {
        try Self.shop { shop in
            let gold = StoreStatement.verified(StoreTransaction(id: "9", productID: "gold"))
            (shop.store.products, shop.store.listed) = ([], [gold])
            try shop.launch()
            let now = shop.now.date
            for (id, signed) in [("1", now - 200), ("2", now)] {
                let past = StoreTransaction(id: id, productID: "pro", signedDate: signed, expirationDate: now - 100)
                shop.tell(.verified(past))
            }
            #expect(shop.state("pro") == .unlocked(by: ["1", "2"].map { .purchase(transaction: $0) }))
            let journal = shop.storage.journal
            shop.refresh()
            #expect(shop.storage.journal == journal, "a list alone isn't written down again")
            shop.wait(3 * Self.day)
            #expect(shop.state("pro") == .unknown(.storeNotAsked))
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
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }
}
