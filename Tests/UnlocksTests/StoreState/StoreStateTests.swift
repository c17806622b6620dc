import Foundation
import ReferralBridge
import TestSupport
import Testing

@testable import ReferralBasics
@testable import Unlocks

/// What `handle` does, without a store or a disk: the journal, what waits for it, and what is tried again.
struct StoreStateTests {
    // MARK: Opening

    @Test("the journal isn't opened before the center is started, and only once")
    func start() {
        var desk = StoreDesk(failure: .folderInUse)
        desk.handle(.journalAwaited(call: desk.nextCall()))
        #expect(desk.takeNames() == ["resume"])
        (desk.failure, desk.answers) = (nil, false)
        desk.handle(.started)
        desk.handle(.refreshAsked(call: desk.nextCall()))
        #expect(desk.names == ["observe"] && desk.state.questions.count == 1)
        desk.answerHeld()
        #expect(desk.names.count { $0 == "listen" } == 1)
        desk.handle(.opened(2, .success([])))
        desk.handle(.becameActive)
        #expect(desk.names.count { $0 == "listen" } == 1)
    }

    @Test("who asks for the journal while it is being opened lets it be tried again if it fails")
    func openedAgain() {
        var desk = StoreDesk(failure: .folderInUse)
        desk.handle(.started)
        #expect(desk.takeNames() == ["observe", "report"])
        desk.answers = false
        desk.handle(.becameActive)
        desk.handle(.prepared(3))
        desk.handle(.journalAwaited(call: desk.nextCall()))
        desk.handle(.refreshAsked(call: desk.nextCall()))
        #expect(desk.takeNames() == [])
        desk.handle(.opened(4, .failure(.folderInUse)))
        #expect(desk.takeNames() == [] && desk.state.opening != nil, "it is tried again")
        desk.handle(.opened(5, .failure(.folderInUse)))
        #expect(desk.takeNames() == ["resume", "loadCatalog"], "it isn't reported again")
    }

    @Test("while the journal is opened again, the pause after the last attempt is over")
    func openedDuringPause() {
        var desk = StoreDesk(failure: .folderInUse)
        desk.handle(.started)
        #expect(desk.state.isWaiting(.disk))
        desk.answers = false
        desk.handle(.becameActive)
        #expect(!desk.state.isWaiting(.disk))
    }

    @Test("each failure to open makes the pause longer, and some are for ever")
    func pauses() {
        var desk = StoreDesk(failure: .storage("full"))
        desk.handle(.started)
        for seconds in [1.0, 2, 4] { #expect(desk.wake() == seconds) }
        #expect(desk.names == ["observe", "report"], "the failure is reported once")
        for error in [UnlocksError.newerJournal, .folderIsShared] {
            desk.failure = error
            desk.handle(.becameActive)
            #expect(desk.state.nextWake == nil)
        }
    }

    // MARK: Statements

    @Test("a purchase that can't be written waits, and so does one of a product that the catalog lacks")
    func statements() {
        var desk = StoreDesk()
        desk.hasRoom = false
        desk.tell(StoreDesk.gold)
        #expect(desk.waiting == [StoreDesk.gold] && desk.unrecorded == ["gold"])
        let silver = StoreTransaction(id: "0", productID: "silver")
        desk.tell(silver)
        desk.hasRoom = true
        desk.tell(silver, StoreDesk.gold)
        #expect(desk.waiting == [silver] && desk.unrecorded == ["silver"])
        desk.tell(silver)
        #expect(desk.unknownCount == 1, "it waits already")
        desk.tell(StoreTransaction(id: "7", productID: "silver"))
        #expect(desk.unknownCount == 2)
    }

    @Test("two purchases whose names are equal to Swift both wait for the disk")
    func names() {
        var desk = StoreDesk()
        desk.hasRoom = false
        let both = ["cafe\u{301}", "caf\u{E9}"].map { StoreTransaction(id: $0, productID: "gold") }
        for purchase in both { desk.tell(purchase) }
        #expect(desk.waiting.map { Array($0.id.utf8) } == both.map { Array($0.id.utf8) })
        desk.hasRoom = true
        desk.handle(.wrote)
        #expect(desk.waiting.isEmpty && desk.ledger.count == 2)
    }

    @Test("of the statements about a purchase that wait, the one that counts is kept, whichever came last")
    func newest() {
        var desk = StoreDesk()
        let date = Date(timeIntervalSince1970: 1_795_000_000)
        let purchase = StoreTransaction(id: "1", productID: "gold", signedDate: date)
        var refund = purchase
        (refund.isRevoked, refund.signedDate) = (true, date + 1)
        desk.hasRoom = false
        for (statement, kept) in [(purchase, purchase), (refund, refund), (purchase, refund)] {
            desk.tell(statement)
            #expect(desk.waiting == [kept])
        }
        desk.hasRoom = true
        desk.tell(purchase)
        #expect(desk.waiting == [refund], "it still counts once the purchase is recorded")
        desk.tell(refund)
        #expect(desk.waiting.isEmpty && desk.ledger[.purchase("1")]?.isRevoked == true)
    }

    @Test("of the statements that wait for a catalog, the newest is kept")
    func newestUnknown() {
        var desk = StoreDesk()
        let date = Date(timeIntervalSince1970: 1_795_000_000)
        let old = StoreTransaction(id: "1", productID: "silver", signedDate: date)
        var new = old
        new.signedDate = date + 1
        desk.tell(old, new, old)
        #expect(desk.waiting == [new] && desk.unknownCount == 1)
    }

    @Test("a purchase that is being written is one that isn't recorded, and what is told meanwhile is written together")
    func recording() {
        var desk = StoreDesk()
        desk.answers = false
        desk.tell(StoreDesk.gold, StoreTransaction(id: "2", productID: "silver"))
        desk.tell(StoreTransaction(id: "3", productID: "silver", app: "other"))
        #expect(desk.unrecorded == ["gold", "silver"] && desk.state.unrecordedCount == 3)
        desk.answerHeld()
        #expect(desk.state.unrecordedCount == 0)
        #expect(desk.unrecorded == ["silver"] && desk.ledger[.purchase("1")] != nil)
    }

    @Test("a statement is of this app, by its bytes, and complete")
    func problems() {
        func problem(_ app: String, for own: String?) -> String? {
            StoreState(for: own).problem(with: .verified(StoreTransaction(id: "1", productID: "gold", app: app)))
        }
        #expect(problem("caf\u{E9}", for: "caf\u{E9}") == nil)
        #expect(problem("cafe\u{301}", for: "caf\u{E9}") == "It belongs to another app.")
        #expect(problem(String(repeating: "a", count: 256), for: nil) == nil)
        #expect(problem(String(repeating: "a", count: 257), for: nil) == "It is incomplete.")
        let nameless = StoreStatement.verified(StoreTransaction(id: "", productID: "gold"))
        #expect(StoreState(for: nil).problem(with: nameless) == "It is incomplete.")
        let forged = StoreStatement.unverified(StoreDesk.gold, reason: "forged")
        #expect(StoreState(for: nil).problem(with: forged) == "forged")
    }

    // MARK: Claims and saving

    private func claim(_ referrer: String) -> Claim {
        Claim(referrer: Name(referrer), parameters: [:], isSigned: false)
    }

    private func settle(_ referrers: [String], _ desk: inout StoreDesk) {
        desk.handle(.claimed(call: desk.nextCall(), referrers.map(claim)))
    }

    @Test("claims that can't be written wait in the order in which they came, each once")
    func claims() {
        var desk = StoreDesk()
        desk.hasRoom = false
        for referrer in ["a", "b", "a"] { settle([referrer], &desk) }
        desk.wake()
        settle(["c"], &desk)
        #expect(desk.state.claims.map(\.referrer) == ["a", "b", "c"])
        desk.hasRoom = true
        desk.wake()
        #expect(desk.state.claims.isEmpty && desk.ledger.claims.map(\.referrer) == ["a", "b", "c"])
    }

    @Test("claims that are tried again stay before those that come meanwhile")
    func claimsTriedAgain() {
        var desk = StoreDesk()
        desk.hasRoom = false
        for referrer in ["a", "b"] { settle([referrer], &desk) }
        desk.answers = false
        settle(["c"], &desk)
        desk.wake()
        desk.answerHeld()
        #expect(desk.state.claims.map(\.referrer) == ["a", "b", "c"])
    }

    @Test("at most 100 claims that may earn something wait for the disk, and 32 others, as on it")
    func manyClaims() {
        var desk = StoreDesk()
        desk.hasRoom = false
        for number in 1...40 { settle(["other \(number)"], &desk) }
        desk.catalog = .known(items: "", rewards: #"{"id":"welcome","grants":["gold"],"limit":5000}"#)
        for number in 1...110 { settle(["\(number)"], &desk) }
        let expected = (9...40).map { "other \($0)" } + (1...68).map { "\($0)" }
        #expect(desk.state.claims.map(\.referrer.rawValue) == expected)
    }

    @Test("what waits is written as soon as anything is, and the next pause is a short one")
    func saving() {
        var desk = StoreDesk()
        desk.hasRoom = false
        settle(["a"], &desk)
        settle(["b"], &desk)
        #expect(desk.wake() == 1 && desk.wake() == 2)
        desk.hasRoom = true
        desk.handle(.wrote)
        #expect(desk.ledger.claims.count == 2 && desk.state.nextWake == nil)
        desk.hasRoom = false
        settle(["c"], &desk)
        #expect(desk.wake() == 1)
    }

    @Test("an event that can't be recorded is for the app to record again")
    func event() {
        var desk = StoreDesk()
        desk.hasRoom = false
        desk.handle(.reached(call: desk.nextCall(), "first-board"))
        #expect(desk.takeNames() == ["resume"] && desk.state.nextWake == nil)
    }

    // MARK: Refreshing

    private var price: Result<[StoreProduct], any Error> { .success([StoreProduct(id: "gold", price: "1 €")]) }

    @Test("purchases are asked for until they were listed again, or for 30 seconds, and prices alone aren't waited for")
    func asking() {
        var desk = StoreDesk()
        desk.handle(.storefrontChanged)
        #expect(desk.takeNames() == ["loadProducts"] && !desk.state.isAsking && !desk.state.hasAsked)
        desk.handle(.refreshAsked(call: desk.nextCall()))
        #expect(desk.takeNames() == ["listUnfinished", "listEntitlements", "loadProducts", "loadCatalog"])
        #expect(desk.state.isAsking && desk.state.hasAsked)
        #expect(desk.wake() == 30)
        #expect(desk.takeNames() == ["resume"] && !desk.state.isAsking)
    }

    @Test("the list is asked for again once products came, and not after those for a new catalog or storefront")
    func listsAgain() {
        var desk = StoreDesk()
        desk.handle(.becameActive)
        guard case .loadProducts(let number, _)? = desk.effects.first(where: { name(ofCase: $0) == "loadProducts" })
        else { return _ = Issue.record("not asked") }
        _ = desk.takeNames()
        desk.handle(.products(number, price))
        #expect(desk.takeNames() == ["listEntitlements"])
        desk.ledger.apply(
            .answer(.init(environment: .production, date: .distantPast, isFromStore: true, subscriptions: []))
        )
        for event in [StoreState.Event.catalogChanged(call: desk.nextCall()), .storefrontChanged] {
            desk.handle(event)
            guard case .loadProducts(let number, _)? = desk.effects.first(where: { name(ofCase: $0) == "loadProducts" })
            else { return _ = Issue.record("not asked") }
            _ = desk.takeNames()
            desk.handle(.products(number, price))
            #expect(desk.takeNames().filter { $0 != "resume" } == [], "\(event)")
        }
    }

    @Test("of products and the app's own purchase, the first that comes lets the list be asked for again")
    func listsAgainOnce() {
        var desk = StoreDesk()
        desk.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
        desk.handle(.becameActive)
        let (products, app) = (number(of: "loadProducts", desk), number(of: "loadApp", desk))
        _ = desk.takeNames()
        desk.handle(.products(products, price))
        #expect(desk.takeNames() == ["listEntitlements"])
        desk.handle(.app(app, .success(.onIPhone("3", signed: Date(timeIntervalSince1970: 1)))))
        #expect(desk.takeNames() == [])
    }

    @Test("a refresh ends with the last answer, whichever that is, also if all fail", arguments: 0..<5)
    func lastAnswer(last: Int) {
        var desk = StoreDesk()
        desk.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
        desk.handle(.refreshAsked(call: desk.nextCall()))
        let answers: [[(Int) -> StoreState.Event]] = [
            [{ .listed($0, []) }], [{ .listed($0, []) }, { .listed($0, []) }],
            [{ .products($0, .failure(StoreError.unreachable)) }], [{ .app($0, .failure(StoreError.unreachable)) }],
            [{ .catalogLoaded($0) }],
        ]
        let questions = [
            ["listUnfinished"], ["listEntitlements", "listHistory"], ["loadProducts"], ["loadApp"], ["loadCatalog"],
        ]
        for part in questions.indices.filter({ $0 != last }) + [last] {
            #expect(!desk.names.contains("resume"))
            for (name, answer) in zip(questions[part], answers[part]) { desk.handle(answer(number(of: name, desk))) }
        }
        #expect(desk.names.last == "resume")
    }

    @Test("the app's own purchase without products doesn't say that the store was reached")
    func appAlone() {
        var desk = StoreDesk()
        desk.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
        desk.handle(.becameActive)
        let (products, app) = (number(of: "loadProducts", desk), number(of: "loadApp", desk))
        _ = desk.takeNames()
        desk.handle(.app(app, .success(.onIPhone("3", signed: Date(timeIntervalSince1970: 1)))))
        #expect(desk.takeNames() == [])
        desk.handle(.products(products, .failure(StoreError.unreachable)))
        #expect(desk.takeNames() == ["report"])
    }

    @Test("an empty list counts only once the store was reached, also after a purchase", arguments: [false, true])
    func emptyFromCache(afterPurchase: Bool) {
        var desk = StoreDesk()
        if afterPurchase {
            desk.handle(.buyAsked(call: desk.nextCall(), "gold", isSubscription: false))
            desk.handle(.purchased(number(of: "purchase", desk), .success(.cancelled)))
        } else {
            desk.handle(.becameActive)
        }
        func list() {
            desk.handle(.listed(number(of: "listEntitlements", desk), []))
            desk.handle(.listed(number(of: "listHistory", desk), []))
        }
        list()
        #expect(!desk.ledger.hasAnswer)
        desk.handle(.products(number(of: "loadProducts", desk), price))
        list()
        #expect(desk.ledger.hasAnswer)
    }

    @Test("an answer of the store that can't be saved is reported, and counts")
    func unsavedAnswer() {
        var desk = StoreDesk()
        desk.handle(.becameActive)
        desk.handle(.products(number(of: "loadProducts", desk), price))
        desk.handle(.listed(number(of: "listEntitlements", desk), []))
        desk.hasRoom = false
        let history = number(of: "listHistory", desk)
        _ = desk.takeNames()
        desk.handle(.listed(history, []))
        #expect(desk.names == ["report", "count"])
    }

    @Test("an activation asks again after 15 minutes, counted from the last time that anything asked")
    func activations() {
        var desk = StoreDesk()
        desk.handle(.becameActive)
        #expect(desk.takeNames().contains("listEntitlements"))
        desk.moment = desk.moment.advanced(by: 899.999)
        desk.handle(.becameActive)
        #expect(!desk.takeNames().contains("listEntitlements"))
        desk.moment = desk.moment.advanced(by: 0.001)
        desk.handle(.becameActive)
        #expect(desk.takeNames().contains("listEntitlements"))
    }

    @Test("updates that end are listened to again after pauses that grow until one comes")
    func updatesEnd() {
        var desk = StoreDesk()
        for seconds in [1.0, 2, 4] {
            desk.handle(.updatesEnded)
            #expect(desk.wake() == seconds && desk.takeNames() == ["listenToUpdates"])
        }
        desk.tell(StoreDesk.gold)
        desk.handle(.updatesEnded)
        #expect(desk.wake() == 1)
    }

    /// The number of the last question of a kind.
    private func number(of name: String, _ desk: StoreDesk) -> Int {
        desk.effects.last { TestSupport.name(ofCase: $0) == name }?.number ?? 0
    }

    @Test("after an empty list products are asked for until there are some, also if the store fails meanwhile")
    func emptyAndUnreachable() {
        var desk = StoreDesk()
        desk.handle(.storefrontChanged)
        desk.handle(.products(number(of: "loadProducts", desk), .success([])))
        for seconds in [1.0, 2, 4] {
            #expect(desk.wake() == seconds)
            desk.handle(.products(number(of: "loadProducts", desk), .failure(StoreError.unreachable)))
        }
        _ = desk.wake()
        desk.handle(.products(number(of: "loadProducts", desk), price))
        #expect(!desk.state.isOffline && !desk.state.isWaiting(.products))
    }

    @Test("the last attempt to load products says whether the store is offline")
    func offline() {
        var desk = StoreDesk()
        #expect(!desk.state.isOffline)
        // With the number of reports: several empty lists are reported once.
        let answers: [(Result<[StoreProduct], any Error>, Bool, Int)] = [
            (.failure(StoreError.unreachable), true, 1), (price, false, 1), (.success([]), true, 2),
            (.success([]), true, 2), (price, false, 2),
        ]
        for (answer, isOffline, reports) in answers {
            desk.handle(.storefrontChanged)
            desk.handle(.products(number(of: "loadProducts", desk), answer))
            #expect(desk.state.isOffline == isOffline && desk.names.count { $0 == "report" } == reports)
        }
        #expect(desk.state.products?.count == 1, "what is known stays")
    }

    @Test("after a purchase the store is asked, and its list again once products came")
    func afterPurchase() {
        var desk = StoreDesk()
        desk.handle(.buyAsked(call: desk.nextCall(), "gold", isSubscription: false))
        desk.handle(.purchased(1, .success(.cancelled)))
        let number = number(of: "loadProducts", desk)
        #expect(desk.takeNames() == ["purchase", "resume", "listUnfinished", "listEntitlements", "loadProducts"])
        desk.handle(.products(number, price))
        #expect(desk.takeNames() == ["listEntitlements"])
    }

    @Test("a list that can't be verified is said, though the store wasn't reached")
    func unverified() {
        var desk = StoreDesk()
        desk.handle(.restoreAsked(call: desk.nextCall()))
        desk.handle(.synced(1, nil))
        let forged = StoreStatement.unverified(StoreDesk.gold, reason: "forged")
        desk.handle(.listed(number(of: "listEntitlements", desk), [forged]))
        desk.handle(.listed(number(of: "listHistory", desk), [forged]))
        desk.handle(.listed(number(of: "listUnfinished", desk), []))
        desk.handle(.products(number(of: "loadProducts", desk), .failure(StoreError.unreachable)))
        desk.handle(.catalogLoaded(number(of: "loadCatalog", desk)))
        guard case .resume(_, .restoration(.failure(let error)))? = desk.effects.last else {
            return _ = Issue.record("\(desk.names)")
        }
        #expect(error as? UnlocksError == .notVerified("forged"))
    }

    @Test("a list counts without its history after 30 seconds, and again once that comes")
    func lateHistory() {
        var desk = StoreDesk()
        desk.handle(.becameActive)
        desk.handle(.products(number(of: "loadProducts", desk), price))
        desk.handle(.listed(number(of: "listEntitlements", desk), []))
        #expect(desk.names.last == "listHistory" && !desk.ledger.hasAnswer)
        desk.wake()
        #expect(desk.ledger.hasAnswer, "the list alone is an answer")
        let pro = StoreTransaction(
            id: "7",
            productID: "gold",
            productKind: .subscription,
            expirationDate: Date(timeIntervalSince1970: 4_000_000_000)
        )
        desk.handle(.listed(number(of: "listHistory", desk), [.verified(pro)]))
        #expect(desk.ledger.answers[.production]?.subscriptions == ["7"])
    }

    @Test("what the history has of a refund, and of a used pack that the catalog lacks, says nothing")
    func historyOfOthers() {
        var desk = StoreDesk()
        desk.handle(.becameActive)
        desk.handle(.products(number(of: "loadProducts", desk), price))
        desk.handle(.listed(number(of: "listEntitlements", desk), []))
        var refund = StoreTransaction(
            id: "7",
            productID: "gold",
            productKind: .subscription,
            expirationDate: Date(timeIntervalSince1970: 4_000_000_000)
        )
        refund.isRevoked = true
        let pack = StoreTransaction(id: "8", productID: "silver", productKind: .consumable)
        desk.handle(.listed(number(of: "listHistory", desk), [.verified(refund), .verified(pack)]))
        #expect(desk.ledger.answers[.production]?.subscriptions == [])
        #expect(desk.unknownCount == 0)
    }

    @Test("a signature of the app's own purchase counts in its environment alone")
    func otherEnvironment() {
        for (environment, isSaved) in [(StoreEnvironment.production, true), (.sandbox, false)] {
            var desk = StoreDesk()
            desk.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"])
            desk.answers = false
            desk.handle(.becameActive)
            let app = AppPurchase(
                id: "app",
                isVerified: true,
                isRevoked: false,
                originalPlatform: .iOS,
                originalVersion: "3",
                originalPurchase: .distantPast,
                environment: environment,
                signedDate: Date(timeIntervalSince1970: 1)
            )
            desk.handle(.app(number(of: "loadApp", desk), .success(app)))
            let isAsked = desk.state.questions.values.contains { if case .saveApp = $0 { true } else { false } }
            #expect(isAsked == isSaved)
        }
    }

    // MARK: Telling the observers

    @Test("observers hear of an end when its time comes, which the device's clock may be behind")
    func changeByTime() {
        var desk = StoreDesk()
        desk.now = desk.moment.date.addingTimeInterval(40)
        desk.applyPass(endsAfter: 100)
        desk.handle(.changed)
        #expect(desk.publishedCount == 1)
        // A subscription that the store wasn't asked about is open for three more days.
        let seconds = desk.wake() ?? 0
        #expect((seconds * 1_000).rounded() == (100 + 259_200) * 1_000 + 1)
        #expect(desk.publishedCount == 2)
    }
}

private extension StoreDesk {
    /// Records a delivered subscription.
    mutating func applyPass(endsAfter seconds: Double, isRevoked: Bool = false) {
        var grant = Grant(source: .purchase("1"), amounts: ["gold": 0], stage: .delivered)
        var transaction = Self.gold
        transaction.expirationDate = moment.date + seconds
        transaction.isRevoked = isRevoked
        grant.transaction = transaction
        ledger.apply(.grant(grant))
    }
}
