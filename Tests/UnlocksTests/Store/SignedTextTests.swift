import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// The statement that the store has signed, which an app's server asks for: it is there at each delivery.
@MainActor
struct SignedTextTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]}
        """#
    private struct Offline: Error {}

    private static func statement(_ id: String, _ product: ProductID) -> StoreStatement {
        .verified(StoreTransaction(id: id, productID: product, signedText: "signed.\(id).text"))
    }

    /// A shop with two purchases, of which the store knows, and the texts at the deliveries.
    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items)) { shop in
            try shop.launch()
            for (id, product) in [("1", "gold"), ("2", "silver")] as [(String, ProductID)] {
                let statement = Self.statement(id, product)
                shop.tell(statement)
            }
            #expect(Self.texts(shop) == ["signed.1.text", "signed.2.text"])
            shop.wait(60)
            #expect(shop.store.unfinished.isEmpty)
            try test(shop)
        }
    }

    private static func texts(_ shop: Shop) -> [String?] { shop.deliveries.map(\.transaction?.signedText) }

    @Test("content that is delivered again has it", arguments: [true, false])
    func again(isRelaunched: Bool) throws {
        try Self.shop { shop in
            if isRelaunched { try shop.launch() }
            let unlocks = shop.unlocks
            _ = Task { try await unlocks?.deliverAgain("gold-pack") }
            JobQueue.drain()
            #expect(Self.texts(shop).dropFirst(2) == ["signed.1.text"])
            try unlocks?.reset()
            #expect(Self.texts(shop).dropFirst(3) == ["signed.1.text", "signed.2.text"])
        }
    }
}
