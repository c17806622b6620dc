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
        var (state, ledger) = (DeliveryState(), Ledger())
        let source = Grant.Source.purchase("2")
        ledger.apply(.grant(Grant(source: source, amounts: ["silver": 0], stage: .recorded)))
        let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
        let moment = Timestamp(milliseconds: 0)
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] { state.handle(event, facts, at: moment) }
        #expect(handle(.recorded([source])).count == 2)
        #expect(handle(.listed(1, [])).count == 0 && handle(.listed(2, [])).count == 1)
        let before = state
        let foreign: [DeliveryState.Event] = [
            .recorded([source]), .looked(3, lost: [source]), .checked(3, isComplete: true), .listed(1, []),
            .folderMade(1, .failure(.deviceLocked)), .installed(9, .timedOut), .delivered(9, nil),
            .completed(9, .success(true)), .deliveryRecorded(3, .success(true)), .removed(3, source, nil),
            .loadProgressed(3, "gold", DownloadProgress(completedBytes: 1, totalBytes: 2)),
            .loaded(3, "gold", .success(true)), .woke(moment),
        ]
        for event in foreign {
            #expect(handle(event).isEmpty, "\(event)")
            #expect(state == before, "\(event)")
        }
    }

    @Test("what the app has written while a refunded purchase was removed is removed too")
    func refundDuringDelivery() throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        var (state, ledger) = (DeliveryState(), Ledger())
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        grant.transaction = StoreTransaction(id: "2", productID: "gold")
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        ledger.apply(.grant(grant))
        #expect(handle(.recorded([grant.source])) == ["listUnfinished", "listHistory"])
        #expect(handle(.listed(1, [])) == [] && handle(.listed(2, [])) == ["makeFolder"])
        #expect(handle(.folderMade(3, .success(URL(fileURLWithPath: "/content/2")))) == ["deliver"])
        grant.transaction?.isRevoked = true
        ledger.apply(.grant(grant))
        #expect(handle(.recorded([grant.source])) == ["remove"])
        #expect(handle(.delivered(4, nil)) == [])
        #expect(handle(.removed(5, grant.source, nil)) == ["remove"])
        #expect(handle(.removed(6, grant.source, nil)) == [] && state.entries.isEmpty)
    }

    @Test("a reset fails if one of its folders can't be removed, and files that can't be installed are reported")
    func failures() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0))
        }
        let sources = [Grant.Source.free("a"), .free("b")]
        for source in sources { ledger.apply(.grant(Grant(source: source, amounts: ["gold": 0], stage: .delivered))) }
        let removals = handle(.resetAsked(call: 1, sources)).compactMap(\.number)
        #expect(handle(.removed(removals[0], sources[0], .deviceLocked)).allSatisfy { name(ofCase: $0) != "resume" })
        let effects = handle(.removed(removals[1], sources[1], nil))
        #expect(effects.contains { if case .resume(1, .deviceLocked?) = $0 { true } else { false } })

        let gift = Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)
        (state, ledger) = (DeliveryState(), Ledger())
        ledger.apply(.grant(gift))
        _ = handle(.recorded([gift.source]))
        _ = handle(.loaded(1, "gift", .success(true)))
        _ = handle(.folderMade(2, .success(URL(fileURLWithPath: "/gift"))))
        #expect(handle(.installed(3, .noSpace(needed: 1))).map { name(ofCase: $0) } == ["report"])
        let retry = try #require(state.nextWake)
        #expect(handle(.woke(retry)).map { name(ofCase: $0) } == ["load"], "its files may be gone")
    }

    @Test("a load that is out of date is cancelled once")
    func cancelledOnce() throws {
        var catalogs = try RandomDeliveries.catalogs()
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalogs[0], now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        ledger.apply(.grant(Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)))
        #expect(handle(.recorded([.free("gift")])) == ["load"])
        #expect(handle(.catalogChanged) == [])
        catalogs.removeFirst()
        #expect(handle(.catalogChanged) == ["cancelLoad"])
        #expect(handle(.catalogChanged) == [])
    }

    @Test("a refund cancels its own load alone")
    func refundDuringLoads() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0))
        }
        var gold = Grant(source: .purchase("1"), amounts: ["gold": 0], stage: .recorded)
        gold.transaction = StoreTransaction(id: "1", productID: "gold")
        let gift = Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)
        for grant in [gold, gift] { ledger.apply(.grant(grant)) }
        #expect(handle(.recorded([gold.source, gift.source])).compactMap(\.number) == [1, 2])
        gold.transaction?.isRevoked = true
        ledger.apply(.grant(gold))
        guard case .cancelLoad(let number)? = handle(.recorded([gold.source])).first else {
            return _ = Issue.record("not cancelled")
        }
        #expect(number == state.loads["gold"]?.number && state.loads["gift"]?.isCancelled == false)
    }

    @Test("content is looked for where it is needed, and what is there after all isn't delivered again")
    func lostContent() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0))
        }
        for (id, isRevoked) in [("1", false), ("2", true)] {
            var grant = Grant(source: .purchase(Name(id)), amounts: ["silver": 0], stage: .delivered)
            grant.transaction = StoreTransaction(id: id, productID: "silver", isRevoked: isRevoked)
            ledger.apply(.grant(grant))
        }
        guard case .look(1, let contents)? = handle(.storeAsked).first else { return _ = Issue.record("not asked") }
        #expect(contents.map(\.source) == [.purchase("1")])
        #expect(handle(.looked(1, lost: [.purchase("1")])).map { name(ofCase: $0) } == ["check"])
        #expect(handle(.checked(2, isComplete: true)).isEmpty && state.entries.isEmpty)
    }

    @Test("a reset delivers again what it has removed, and nothing else")
    func resetDelivery() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        for failure in [nil, UnlocksError.deviceLocked] {
            var (state, ledger) = (DeliveryState(), Ledger())
            func handle(_ event: DeliveryState.Event) -> [String] {
                let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
                return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
            }
            let source = Grant.Source.free("silver")
            ledger.apply(.grant(Grant(source: source, amounts: ["silver": 0], stage: .delivered)))
            #expect(handle(.resetAsked(call: 1, [source])) == ["remove"])
            #expect(handle(.removed(1, source, failure)) == ["resume"] + (failure == nil ? ["check"] : []))
            #expect(state.entries.isEmpty == (failure != nil))
        }
    }

    @Test("a purchase whose refund is reversed waits to be delivered, also while its folder is being removed")
    func reversedRefund() throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        var (state, ledger) = (DeliveryState(), Ledger())
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        func record(isRevoked: Bool) -> [String] {
            grant.transaction = StoreTransaction(id: "2", productID: "gold", isRevoked: isRevoked)
            ledger.apply(.grant(grant))
            return handle(.recorded([grant.source]))
        }
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        #expect(record(isRevoked: true) == ["remove"] && Array(state.undelivered) == [])
        #expect(record(isRevoked: false) == [] && Array(state.undelivered) == [grant.source])
        #expect(handle(.removed(1, grant.source, nil)) == ["listUnfinished", "listHistory"])
    }

    @Test("a refund that comes while a delivery is recorded removes its folder once", arguments: [false, true])
    func refundDuringRecord(isHeard: Bool) throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        var (state, ledger) = (DeliveryState(), Ledger())
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        grant.transaction = StoreTransaction(id: "2", productID: "gold")
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        ledger.apply(.grant(grant))
        for event: DeliveryState.Event in [
            .recorded([grant.source]), .listed(1, []), .listed(2, []),
            .folderMade(3, .success(URL(fileURLWithPath: "/content/2"))), .delivered(4, nil),
        ] { _ = handle(event) }
        #expect(handle(.completed(5, .success(true))) == ["record"])
        grant.transaction?.isRevoked = true
        ledger.apply(.grant(grant))
        if isHeard { #expect(handle(.recorded([grant.source])) == []) }
        #expect(handle(.deliveryRecorded(6, .success(false))) == ["remove"])
        #expect(handle(.removed(7, grant.source, nil)) == [] && state.entries.isEmpty)
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
