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
        try .of(items: #"{"id":"club","product":"club","kind":"subscription","grants":["club"]}"#)
    }

    private func ledger(with transactions: [StoreTransaction]) throws -> Ledger {
        var ledger = Ledger()
        ledger.apply(ledger.changes(for: transactions, in: try catalog(), at: asked).entries)
        return ledger
    }

    private func answer(
        _ ledger: Ledger,
        _ listed: [StoreTransaction],
        unverified: StoreTransaction
    ) throws -> StoreAnswer? {
        var listing = ShopState.Listing(number: 1, isFromStore: true, date: asked)
        listing.statements = [.unverified(unverified, reason: "forged")]
        return ledger.answer(listing: listed, for: listing, in: try catalog())
    }

    @Test("while a subscription can't be verified, no other one ends")
    func unverified() throws {
        let ledger = try ledger(with: [transaction("1")])
        let gold = StoreTransaction(id: "3", productID: "gold")
        #expect(try answer(ledger, [transaction("1")], unverified: transaction("2"))?.isFromStore == false)
        #expect(try answer(ledger, [transaction("1")], unverified: gold)?.isFromStore == true)
    }
}
