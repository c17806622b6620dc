import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlockCatalog

@testable import ReferralBasics
@testable import Unlocks

/// What `handle` does, without deliveries around it.
struct DeliveryStateTests {
    @Test("a doubled answer, and one to a question that isn't open, change nothing")
    func foreignAnswers() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        let desk = DeliveryDesk(catalog)
        let source = Grant.Source.purchase("2")
        desk.ledger.apply(.grant(Grant(source: source, amounts: ["silver": 0], stage: .recorded)))
        #expect(desk.handle(.recorded([source])).isEmpty)
        #expect(desk.names(after: .storeAsked) == ["makeFolder"])
        let before = desk.state
        let foreign: [DeliveryState.Event] = [
            .recorded([source]), .looked(3, lost: [source]), .checked(3, isComplete: true),
            .folderMade(9, .failure(.folderInUse)), .installed(9, .timedOut), .delivered(9, nil),
            .completed(9, .success(true)), .deliveryRecorded(3, .success(true)), .removed(3, source, nil),
            .loadProgressed(3, "gold", DownloadProgress(completedBytes: 1, totalBytes: 2)),
            .loaded(3, "gold", .success(true)), .woke(desk.moment),
        ]
        for event in foreign {
            #expect(desk.handle(event).isEmpty, "\(event)")
            #expect(desk.state == before, "\(event)")
        }
    }

    @Test("what the app has written while a refunded purchase was removed is removed too")
    func refundDuringDelivery() throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        let desk = DeliveryDesk(catalog)
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        grant.transaction = StoreTransaction(id: "2", productID: "gold")
        desk.ledger.apply(.grant(grant))
        #expect(desk.names(after: .recorded([grant.source])) == [])
        #expect(desk.names(after: .storeAsked) == ["makeFolder"])
        #expect(desk.names(after: .folderMade(1, .success(URL(fileURLWithPath: "/content/2")))) == ["deliver"])
        grant.transaction?.isRevoked = true
        desk.ledger.apply(.grant(grant))
        #expect(desk.names(after: .recorded([grant.source])) == ["remove"])
        #expect(desk.names(after: .delivered(2, nil)) == [])
        #expect(desk.names(after: .removed(3, grant.source, nil)) == ["remove"])
        #expect(desk.names(after: .removed(4, grant.source, nil)) == [] && desk.state.entries.isEmpty)
    }

    @Test("a reset fails if one of its folders can't be removed, and files that can't be installed are reported")
    func failures() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        let desk = DeliveryDesk(catalog)
        let sources = [Grant.Source.free("a"), .free("b")]
        for source in sources {
            desk.ledger.apply(.grant(Grant(source: source, amounts: ["gold": 0], stage: .delivered)))
        }
        let removals = desk.handle(.resetAsked(call: 1, sources)).compactMap(\.number)
        #expect(
            desk.handle(.removed(removals[0], sources[0], .folderInUse)).allSatisfy { name(ofCase: $0) != "resume" }
        )
        let effects = desk.handle(.removed(removals[1], sources[1], nil))
        #expect(effects.contains { if case .resume(1, .folderInUse?) = $0 { true } else { false } })

        let gift = Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)
        (desk.state, desk.ledger) = (DeliveryState(), Ledger())
        desk.ledger.apply(.grant(gift))
        _ = desk.handle(.recorded([gift.source]))
        _ = desk.handle(.loaded(1, "gift", .success(true)))
        _ = desk.handle(.folderMade(2, .success(URL(fileURLWithPath: "/gift"))))
        #expect(desk.names(after: .installed(3, .noSpace(needed: 1))) == ["report"])
        let retry = try #require(desk.state.nextWake)
        #expect(desk.names(after: .woke(retry)) == ["load"], "its files may be gone")
    }

    @Test("a load that is out of date is cancelled once")
    func cancelledOnce() throws {
        let catalogs = try RandomDeliveries.catalogs()
        let desk = DeliveryDesk(catalogs[0])
        desk.ledger.apply(.grant(Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)))
        #expect(desk.names(after: .recorded([.free("gift")])) == ["load"])
        #expect(desk.names(after: .catalogChanged) == [])
        desk.catalog = catalogs[1]
        #expect(desk.names(after: .catalogChanged) == ["cancelLoad"])
        #expect(desk.names(after: .catalogChanged) == [])
    }

    @Test("a refund cancels its own load alone")
    func refundDuringLoads() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        let desk = DeliveryDesk(catalog)
        var gold = Grant(source: .purchase("1"), amounts: ["gold": 0], stage: .recorded)
        gold.transaction = StoreTransaction(id: "1", productID: "gold")
        let gift = Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)
        for grant in [gold, gift] { desk.ledger.apply(.grant(grant)) }
        #expect(desk.handle(.recorded([gold.source, gift.source])).compactMap(\.number) == [1, 2])
        gold.transaction?.isRevoked = true
        desk.ledger.apply(.grant(gold))
        guard case .cancelLoad(let number)? = desk.handle(.recorded([gold.source])).first else {
            return _ = Issue.record("not cancelled")
        }
        #expect(number == desk.state.loads["gold"]?.number && desk.state.loads["gift"]?.isCancelled == false)
    }

    @Test("content is looked for where it is needed, and what is there after all isn't delivered again")
    func lostContent() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        let desk = DeliveryDesk(catalog)
        for (id, isRevoked) in [("1", false), ("2", true)] {
            var grant = Grant(source: .purchase(Name(id)), amounts: ["silver": 0], stage: .delivered)
            grant.transaction = StoreTransaction(id: id, productID: "silver", isRevoked: isRevoked)
            desk.ledger.apply(.grant(grant))
        }
        guard case .look(1, let contents)? = desk.handle(.storeAsked).first else {
            return _ = Issue.record("not asked")
        }
        #expect(contents.map(\.source) == [.purchase("1")])
        #expect(desk.names(after: .looked(1, lost: [.purchase("1")])) == ["check"])
        #expect(desk.handle(.checked(2, isComplete: true)).isEmpty && desk.state.entries.isEmpty)
    }

    @Test("a reset delivers again what it has removed, and nothing else")
    func resetDelivery() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        for failure in [nil, UnlocksError.folderInUse] {
            let desk = DeliveryDesk(catalog)
            let source = Grant.Source.free("silver")
            desk.ledger.apply(.grant(Grant(source: source, amounts: ["silver": 0], stage: .delivered)))
            #expect(desk.names(after: .resetAsked(call: 1, [source])) == ["remove"])
            #expect(desk.names(after: .removed(1, source, failure)) == ["resume"] + (failure == nil ? ["check"] : []))
            #expect(desk.state.entries.isEmpty == (failure != nil))
        }
    }

    @Test("a purchase whose refund is reversed waits to be delivered, also while its folder is being removed")
    func reversedRefund() throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        let desk = DeliveryDesk(catalog)
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        func record(isRevoked: Bool) -> [String] {
            grant.transaction = StoreTransaction(id: "2", productID: "gold", isRevoked: isRevoked)
            desk.ledger.apply(.grant(grant))
            return desk.names(after: .recorded([grant.source]))
        }
        #expect(record(isRevoked: true) == ["remove"] && Array(desk.state.undelivered) == [])
        #expect(record(isRevoked: false) == [] && Array(desk.state.undelivered) == [grant.source])
        #expect(desk.names(after: .removed(1, grant.source, nil)) == [])
        #expect(desk.names(after: .storeAsked) == ["makeFolder"])
    }

    @Test("a refund that comes while a delivery is recorded removes its folder once", arguments: [false, true])
    func refundDuringRecord(isHeard: Bool) throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        let desk = DeliveryDesk(catalog)
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        grant.transaction = StoreTransaction(id: "2", productID: "gold")
        desk.ledger.apply(.grant(grant))
        for event: DeliveryState.Event in [
            .recorded([grant.source]), .storeAsked,
            .folderMade(1, .success(URL(fileURLWithPath: "/content/2"))), .delivered(2, nil),
        ] { _ = desk.names(after: event) }
        #expect(desk.names(after: .completed(3, .success(true))) == ["record"])
        grant.transaction?.isRevoked = true
        desk.ledger.apply(.grant(grant))
        if isHeard { #expect(desk.names(after: .recorded([grant.source])) == []) }
        #expect(desk.names(after: .deliveryRecorded(4, .success(false))) == ["remove"])
        #expect(desk.names(after: .removed(5, grant.source, nil)) == [] && desk.state.entries.isEmpty)
    }

    @Test("a delivery says whether uses were used up before it; a refund is recorded without one")
    func usedUp() {
        var ledger = Ledger()
        func deliver(_ id: Name, _ amounts: [UnlockID: Int], isRevoked: Bool = false) -> Bool? {
            var grant = Grant(source: .purchase(id), amounts: amounts, stage: .recorded)
            grant.transaction = StoreTransaction(id: id.rawValue, productID: "pack", isRevoked: isRevoked)
            ledger.apply(.grant(grant))
            let (entries, wasUsedUp) = DeliveryState.delivered(grant.source, in: ledger)
            for entry in entries { ledger.apply(entry) }
            return entries.isEmpty && !wasUsedUp ? nil : wasUsedUp
        }
        #expect(deliver("1", ["gold": 0]) == false)
        #expect(deliver("2", ["hint": 10]) == true)
        #expect(deliver("3", ["hint": 10]) == false)
        #expect(deliver("4", ["hint": 10], isRevoked: true) == nil)
    }
}
