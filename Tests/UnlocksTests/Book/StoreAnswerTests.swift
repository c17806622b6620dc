import Foundation
import Testing

@testable import Unlocks

/// What a list of the store says, by itself.
struct StoreAnswerTests {
    private let asked = Date(timeIntervalSince1970: 1_795_000_000)

    private func transaction(_ id: String, ends: Double = 86_400) -> StoreTransaction {
        StoreTransaction(
            id: id,
            productID: "club",
            productKind: .subscription,
            purchaseDate: asked - 86_400,
            expirationDate: asked + ends
        )
    }

    private func catalog() throws -> ShopCatalog {
        let club = #"{"id":"club","product":"club","kind":"subscription","grants":["club"]}"#
        return try ShopCatalog(json: Data(#"{"format":1,"revision":1,"items":[\#(club)]}"#.utf8))
    }

    private func ledger(with transactions: [StoreTransaction]) throws -> Ledger {
        var ledger = Ledger()
        for entry in ledger.changes(for: transactions, in: try catalog(), at: asked).entries { ledger.apply(entry) }
        return ledger
    }

    private func question(grants: Int, isFromStore: Bool) -> PurchaseQuestion {
        PurchaseQuestion(number: 1, date: asked, clock: asked, grantCount: grants, isFromStore: isFromStore)
    }

    @Test("an empty list says something only after the store was reached", arguments: [true, false])
    func empty(isFromStore: Bool) throws {
        let ledger = try ledger(with: [transaction("1")])
        let question = question(grants: 1, isFromStore: isFromStore)
        let answer = ledger.answer(to: question, listing: [], unverified: [], in: try catalog())
        #expect(answer?.subscriptions == (isFromStore ? [] : nil))
    }

    @Test("a list with a purchase that isn't written yet says nothing, and one of another environment isn't seen")
    func unwritten() throws {
        let ledger = try ledger(with: [])
        let question = question(grants: 0, isFromStore: true)
        var listed = transaction("1")
        #expect(ledger.answer(to: question, listing: [listed], unverified: [], in: try catalog()) == nil)
        listed.environment = .sandbox
        let answer = ledger.answer(to: question, listing: [listed], unverified: [], in: try catalog())
        #expect(answer?.subscriptions == [])
    }

    @Test("while a subscription can't be verified, no other one ends")
    func unverified() throws {
        let ledger = try ledger(with: [transaction("1")])
        let question = question(grants: 1, isFromStore: true)
        func answer(_ unverified: StoreTransaction) throws -> StoreAnswer? {
            ledger.answer(to: question, listing: [transaction("1")], unverified: [unverified], in: try catalog())
        }
        #expect(try answer(transaction("2"))?.isFromStore == false)
        #expect(try answer(StoreTransaction(id: "3", productID: "gold"))?.isFromStore == true)
    }

    @Test("a subscription that came after the question counts as listed, even if the device's clock is ahead")
    func later() throws {
        let ledger = try ledger(with: [transaction("1"), transaction("2", ends: -1)])
        let later = ledger.answer(
            to: question(grants: 1, isFromStore: true),
            listing: [transaction("1")],
            unverified: [],
            in: try catalog()
        )
        #expect(later?.subscriptions == ["1", "2"])
        let earlier = ledger.answer(
            to: question(grants: 2, isFromStore: true),
            listing: [transaction("1")],
            unverified: [],
            in: try catalog()
        )
        #expect(earlier?.subscriptions == ["1"])
    }
}
