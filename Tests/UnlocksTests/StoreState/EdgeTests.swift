import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBasics
@testable import Unlocks

/// Answers that come late, twice or never, and what happens on a full disk or while the device sleeps.
@MainActor
struct EdgeTests {
    private var price: Result<[StoreProduct], any Error> { .success([StoreProduct(id: "gold", price: "1 €")]) }

    private func number(of name: String, _ desk: StoreDesk) -> Int {
        desk.effects.last { TestSupport.name(ofCase: $0) == name }?.number ?? 0
    }

    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"club","product":"club","kind":"subscription","grants":["pro"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
        """#

    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_795_000_000 + seconds) }

    @Test("an empty list after products came is asked for again")
    func emptyAgain() {
        var desk = StoreDesk()
        for answer in [.success([]), price, .success([])] {
            desk.handle(.storefrontChanged)
            desk.handle(.products(number(of: "loadProducts", desk), answer))
        }
        _ = desk.takeNames()
        while desk.wake() != nil, desk.names.isEmpty {}
        #expect(desk.names == ["loadProducts"])
    }

    @Test("nothing is waited for once products came")
    func productsEndTheWait() {
        var desk = StoreDesk()
        for answer in [.success([]), price] {
            desk.handle(.storefrontChanged)
            desk.handle(.products(number(of: "loadProducts", desk), answer))
        }
        #expect(!desk.state.isWaiting(.products))
    }

    @Test("a storefront without products is asked again, also after an earlier one was")
    func emptyAfterMove() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            shop.store.products = []
            shop.refresh()
            shop.wait(200)
            shop.store.products = nil
            shop.refresh()
            #expect(shop.unlocks?.isOffline == false)
            shop.store.products = []
            shop.store.changeStorefront()
            JobQueue.drain()
            #expect(shop.unlocks?.isOffline == true)
            shop.store.products = nil
            shop.wait(100_000)
            #expect(shop.unlocks?.isOffline == false)
        }
    }

    @Test("what was here isn't found, though the journal opens while somebody restores")
    func openedWhileRestoring() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.paidBefore = PaidBefore(grants: ["extra"], firstFreeVersions: [.iOS: "2"])
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            try shop.launch()
            #expect(shop.state("gold")?.isUnlocked == true)
            shop.storage.isLocked = true
            let unlocks = shop.makeUnlocks()
            unlocks.start()
            JobQueue.drain()
            shop.store.unanswered = [.app]
            var result: Result<UnlockCenter.Restoration, any Error>?
            Task { do { result = .success(try await unlocks.restore()) } catch { result = .failure(error) } }
            JobQueue.drain()
            shop.storage.isLocked = false
            shop.wait(5)
            shop.store.unanswered = []
            JobQueue.drain()
            shop.wait(31)
            let outcome = result.map { "\($0)" } ?? "never ended"
            #expect(outcome == "success(Unlocks.UnlockCenter.Restoration.nothingNew)")
        }
    }

    @Test("a restoration that can't be written isn't told as if all were here")
    func restoredOnFullDisk() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            shop.store.recordSilently(.verified(StoreTransaction(id: "1", productID: "gold")))
            shop.storage.next = { .fails }
            var result: Result<UnlockCenter.Restoration, any Error>?
            Task { do { result = .success(try await unlocks.restore()) } catch { result = .failure(error) } }
            JobQueue.drain()
            shop.wait(31)
            #expect(shop.state("gold") == .locked)
            #expect(throws: UnlocksError.self) { try result?.get() }
        }
    }

    @Test("a recorded purchase that is signed anew isn't one that isn't recorded")
    func signedAnewOnFullDisk() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            let start = shop.now.date
            func club(_ signed: Date) -> StoreStatement {
                .verified(
                    StoreTransaction(
                        id: "1",
                        productID: "club",
                        productKind: .subscription,
                        signedDate: signed,
                        expirationDate: start + 100
                    )
                )
            }
            shop.store.now = { shop.now.date }
            shop.tell(club(start))
            shop.wait(90 * 86_400)
            shop.refresh()
            @MainActor func offer() -> ShopOffer.State? { shop.unlocks?.offers.first { $0.item.id == "club" }?.state }
            #expect(offer() == .forSale(price: "1 €"))
            shop.storage.next = { .fails }
            shop.store.announce(club(shop.now.date))
            JobQueue.drain()
            #expect(offer() == .forSale(price: "1 €"))
        }
    }

    @Test("a history that never comes keeps nobody from buying, who has a pack or a refund", arguments: [false, true])
    func silentHistory(isRevoked: Bool) throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.isPack = { $0 == "hints" }
            shop.store.isReachable = false
            try shop.launch()
            shop.tell(
                .verified(StoreTransaction(id: "1", productID: "hints", productKind: .consumable, isRevoked: isRevoked))
            )
            shop.wait(5)
            shop.store.isReachable = true
            shop.store.unanswered = [.history]
            shop.refresh()
            shop.wait(60)
            #expect(shop.unlocks?.offers.first?.state == .forSale(price: "1 €"))
        }
    }

    @Test("a yes that is being written stays")
    func yesOnItsWay() {
        var desk = StoreDesk()
        desk.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
        desk.answers = false
        desk.handle(.refreshAsked(call: desk.nextCall()))
        desk.handle(.app(number(of: "loadApp", desk), .success(.onIPhone("1", signed: date(1)))))
        desk.handle(.refreshAsked(call: desk.nextCall()))
        let second = number(of: "loadApp", desk)
        var other = AppPurchase.onIPhone("3", signed: date(2))
        other.id = "other"
        desk.handle(.app(second, .success(other)))
        desk.answerHeld()
        #expect(desk.ledger.kept?.answer == true)
        #expect(desk.state.paidBeforeAnswer?.isYes == true)
    }

    @Test("another edition's items get prices")
    func otherEdition() throws {
        let items =
            #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"],"includedIn":["full"]}"#
        try Shop.run(.of(items: items)) { shop in
            shop.context = ShopContext(appVersion: "3.0", platform: .iOS, edition: "full", languages: ["en"])
            try shop.launch()
            #expect(shop.unlocks?.offers.first?.state == .included)
            shop.unlocks?.context.edition = nil
            shop.wait(10_000)
            #expect(shop.unlocks?.offers.first?.state == .forSale(price: "1 €"))
        }
    }

    @Test("a purchase that waits for approval waits, though an earlier one is signed anew", arguments: [false, true])
    func approvalStillWaits(isRefund: Bool) {
        var desk = StoreDesk()
        desk.catalog = .known(items: #"{"id":"week","product":"week","kind":"nonRenewing","days":7,"grants":["pro"]}"#)
        var old = StoreTransaction(id: "1", productID: "week", productKind: .nonRenewing, signedDate: date(0))
        desk.tell(old)
        for entry in DeliveryState.delivered(.purchase("1"), in: desk.ledger).entries { desk.ledger.apply(entry) }
        desk.handle(.buyAsked(call: desk.nextCall(), "week", isSubscription: false))
        desk.handle(.purchased(number(of: "purchase", desk), .success(.pending)))
        #expect(desk.state.pendingProducts == ["week"])
        old.signedDate = date(10)
        old.isRevoked = isRefund
        desk.tell(old)
        #expect(desk.state.pendingProducts == ["week"])
    }

    @Test("an unknown product is reported, also if it came on a full disk")
    func unknownOnFullDisk() {
        var desk = StoreDesk()
        desk.hasRoom = false
        desk.tell(StoreTransaction(id: "1", productID: "silver", signedDate: date(0)))
        desk.hasRoom = true
        while desk.wake() != nil {}
        #expect(desk.waiting.count == 1)
        #expect(desk.unknownCount == 1)
    }

    @Test(
        "an app transaction of another environment isn't new each time",
        arguments: [StoreEnvironment.production, .sandbox]
    )
    func appOfOtherEnvironment(environment: StoreEnvironment) {
        var desk = StoreDesk()
        desk.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
        for _ in 0..<2 {
            _ = desk.takeNames()
            desk.handle(.refreshAsked(call: desk.nextCall()))
            desk.handle(.products(number(of: "loadProducts", desk), .success([])))
            var app = AppPurchase.onIPhone("3", signed: date(1))
            app.environment = environment
            desk.handle(.app(number(of: "loadApp", desk), .success(app)))
            if environment == .production { desk.ledger.apply(.seen(date(1), .production)) }
        }
        #expect(desk.names.count { $0 == "listEntitlements" } == 1)
    }

    @Test("what has ended while the device slept is told when the app becomes active")
    func endedWhileAsleep() throws {
        let items = #"{"id":"pass","product":"pass","kind":"nonRenewing","days":1,"grants":["lounge"]}"#
        try Shop.run(.of(items: items)) { shop in
            shop.store.record(
                .verified(
                    StoreTransaction(
                        id: "1",
                        productID: "pass",
                        productKind: .nonRenewing,
                        purchaseDate: shop.now.date.addingTimeInterval(300 - 86_400)
                    )
                )
            )
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            var seen: [UnlockState] = []
            let task = Task { @MainActor in
                for await change in unlocks.states where change.unlock == "lounge" { seen.append(change.state) }
            }
            JobQueue.drain()
            #expect(seen.last?.isUnlocked == true)
            shop.setClock(by: 600)
            shop.activity.becomeActive()
            JobQueue.drain()
            #expect(seen.last == .locked)
            task.cancel()
        }
    }

    @Test("a first catalog with products makes the store asked, after one without")
    func firstProducts() throws {
        try Shop.run(.of()) { shop in
            try shop.launch()
            let new = try ShopCatalog.of(items: Self.items)
            let unlocks = shop.unlocks
            Task { await unlocks?.use(new) }
            JobQueue.drain()
            shop.wait(10_000)
            #expect(shop.unlocks?.offers.first?.state == .forSale(price: "1 €"))
        }
    }

    @Test("a late answer about the former storefront doesn't replace the question about the new one")
    func formerStorefront() {
        var desk = StoreDesk()
        desk.handle(.storefrontChanged)
        let first = number(of: "loadProducts", desk)
        desk.handle(.storefrontChanged)
        desk.handle(.products(number(of: "loadProducts", desk), .success([])))
        desk.handle(.products(first, price))
        _ = desk.takeNames()
        while desk.wake() != nil, desk.names.isEmpty {}
        #expect(desk.names == ["loadProducts"])
    }

    @Test("a moment that can't be written isn't tried with each question")
    func momentOnFullDisk() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            shop.wait(700)
            shop.storage.next = { .fails }
            shop.wait(700)
            let calls = shop.storage.calls
            for _ in 0..<50 {
                _ = shop.state("gold")
                JobQueue.drain()
            }
            #expect(shop.storage.calls - calls <= 2)
        }
    }

    @Test("tasks that have ended aren't kept")
    func endedUpdates() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            try shop.launch()
            let count = try #require(shop.unlocks).listeners.count
            for _ in 0..<20 {
                shop.store.announce(.verified(StoreTransaction(id: "1", productID: "silver")))
                JobQueue.drain()
                shop.store.endUpdates()
                shop.wait(10)
            }
            #expect(try #require(shop.unlocks).listeners.count <= count + 1)
        }
    }

    @Test("a purchase that is answered with a refund isn't one")
    func refundedAtOnce() {
        var desk = StoreDesk()
        desk.handle(.buyAsked(call: desk.nextCall(), "gold", isSubscription: false))
        var refund = StoreDesk.gold
        refund.isRevoked = true
        desk.handle(.purchased(number(of: "purchase", desk), .success(.purchased(.verified(refund)))))
        for case .resume(_, .purchase(.success(let result))) in desk.effects { #expect(result != .bought) }
    }

    @Test("a folder that couldn't be opened is tried again when the app becomes active")
    func openedAtActivation() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.storage.isLocked = true
            shop.makeUnlocks().start()
            JobQueue.drain()
            shop.wait(5_000)
            shop.storage.isLocked = false
            shop.activity.becomeActive()
            JobQueue.drain()
            #expect(shop.unlocks?.book.isOpen == true)
        }
    }

    @Test("each activation tries a folder again that couldn't be opened")
    func openedAtEachActivation() {
        var desk = StoreDesk(failure: .folderInUse)
        desk.handle(.started)
        desk.handle(.becameActive)
        desk.failure = nil
        desk.handle(.becameActive)
        #expect(desk.closed == nil)
    }

    @Test("a renewal that only the history knows counts after a long time offline", arguments: [true, false])
    func renewalInHistoryOnly(hasOther: Bool) throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.now = { shop.now.date }
            let start = shop.now.date
            func period(_ id: String, _ days: Double) -> StoreStatement {
                .verified(
                    StoreTransaction(
                        id: id,
                        originalID: "1",
                        productID: "club",
                        productKind: .subscription,
                        purchaseDate: start + (days - 30) * 86_400,
                        signedDate: start + (days - 30) * 86_400,
                        expirationDate: start + days * 86_400
                    )
                )
            }
            let gold = StoreStatement.verified(StoreTransaction(id: "7", productID: "gold"))
            shop.tell(period("1", 30))
            shop.store.record(period("1", 30))
            if hasOther { shop.store.record(gold) }
            try shop.launch()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.end()
            shop.wait(40 * 86_400)
            shop.store.recordSilently(period("2", 60))
            shop.store.listed = hasOther ? [gold] : []
            try shop.launch()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("a renewal that only the history knows counts, also if the subscription had ended")
    func renewalAfterTheEnd() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.now = { shop.now.date }
            let start = shop.now.date
            func period(_ id: String, endsAfter days: Double) -> StoreStatement {
                var period = StoreTransaction(id: id, originalID: "1", productID: "club", productKind: .subscription)
                period.purchaseDate = start + (days - 30) * 86_400
                period.signedDate = period.purchaseDate
                period.expirationDate = start + days * 86_400
                return .verified(period)
            }
            shop.store.record(period("1", endsAfter: 30))
            try shop.launch()
            shop.wait(40 * 86_400)
            shop.store.listed = [.verified(StoreTransaction(id: "7", productID: "gold"))]
            shop.refresh()
            #expect(shop.state("pro") == .locked)
            shop.store.recordSilently(period("2", endsAfter: 70))
            shop.refresh()
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test(
        "the history isn't asked for because of a subscription that was refunded, changed to another plan, or of another environment",
        arguments: ["refund", "plan", "environment"]
    )
    func endedForGood(reason: String) {
        var desk = StoreDesk()
        desk.now = date(100)
        var old = StoreTransaction(id: "7", productID: "club", productKind: .subscription)
        old.expirationDate = date(0)
        old.isRevoked = reason == "refund"
        old.environment = reason == "environment" ? .sandbox : .production
        var grant = Grant(source: .purchase("7"), amounts: ["pro": 0], stage: .delivered)
        grant.transaction = old
        desk.ledger.apply(.grant(grant))
        let answer = StoreAnswer(
            environment: .production,
            date: date(50),
            clock: nil,
            isFromStore: true,
            subscriptions: []
        )
        desk.ledger.apply(.answer(answer))
        var new = StoreTransaction(id: "8", originalID: "7", productID: "club-year", productKind: .subscription)
        new.environment = .production
        new.expirationDate = date(1_000)
        let listed = reason == "plan" ? new : StoreDesk.gold
        desk.handle(.refreshAsked(call: 1))
        for _ in 0..<2 {
            desk.handle(.listed(number(of: "listEntitlements", desk), [.verified(listed)]))
            desk.handle(.products(number(of: "loadProducts", desk), price))
        }
        #expect(desk.names.filter { $0 == "listEntitlements" }.count == 2)
        #expect(!desk.names.contains("listHistory"))
    }

    @Test("a restoration doesn't wait for the catalog")
    func restoredWithoutCatalog() {
        var desk = StoreDesk()
        desk.handle(.restoreAsked(call: desk.nextCall()))
        desk.handle(.synced(number(of: "sync", desk), nil))
        desk.handle(.listed(number(of: "listUnfinished", desk), []))
        desk.handle(.listed(number(of: "listEntitlements", desk), []))
        desk.handle(.listed(number(of: "listHistory", desk), []))
        desk.handle(.products(number(of: "loadProducts", desk), price))
        desk.handle(.listed(number(of: "listEntitlements", desk), []))
        desk.handle(.listed(number(of: "listHistory", desk), []))
        #expect(desk.names.contains("resume"))
    }

    @Test("a restoration asks the history, also if something is listed")
    func restoredFromHistory() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            shop.store.now = { shop.now.date }
            let gold = StoreStatement.verified(StoreTransaction(id: "7", productID: "gold"))
            shop.store.recordSilently(gold)
            shop.store.recordSilently(
                .verified(
                    StoreTransaction(
                        id: "2",
                        productID: "club",
                        productKind: .subscription,
                        expirationDate: shop.now.date + 86_400
                    )
                )
            )
            shop.store.listed = [gold]
            try shop.launch()
            let unlocks = try #require(shop.unlocks)
            _ = Task { _ = try await unlocks.restore() }
            JobQueue.drain()
            shop.wait(31)
            #expect(shop.state("pro")?.isUnlocked == true)
        }
    }

    @Test("a refresh is waited for 30 seconds at most, also if the disk doesn't answer")
    func slowDisk() {
        var desk = StoreDesk()
        desk.answers = false
        desk.handle(.refreshAsked(call: desk.nextCall()))
        while desk.wake() != nil {}
        #expect(desk.names.contains("resume"))
    }
}
