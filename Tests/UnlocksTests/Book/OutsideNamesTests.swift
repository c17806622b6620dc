import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlockCatalog

@testable import Unlocks

/// Names from the store and from the journal are bytes, and not longer than others.
@MainActor
struct OutsideNamesTests {
    nonisolated private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]}
        """#

    // MARK: The store

    @Test(
        "a purchase with another name, or one that isn't verified, doesn't hide that a recorded one is missing",
        arguments: [
            StoreStatement.verified(StoreTransaction(id: decomposed, productID: "silver")),
            .unverified(StoreTransaction(id: composed, productID: "gold"), reason: "forged"),
        ]
    )
    func missing(other: StoreStatement) throws {
        // Marks of two combining classes in turn. Swift's own hash sorts them all.
        try expectLinear(64 << 10) { count in
            let marks = "a" + String(repeating: "\u{301}\u{323}", count: count)
            try Shop.run(.of(items: Self.items)) { shop in
                var gold = StoreTransaction(id: Self.composed, productID: "gold")
                shop.store.recordSilently(.verified(gold))
                try shop.launch()
                #expect(shop.state("gold")?.isUnlocked == true)
                gold.isRevoked = true
                shop.store.recordSilently(.verified(gold))
                let long = StoreStatement.unverified(StoreTransaction(id: marks, productID: "gold"), reason: "forged")
                shop.store.listed = [other, long]
                shop.refresh()
                #expect(shop.state("gold") == .locked)
            }
        }
    }

    @Test("each of two purchases whose names are equal to Swift is delivered with its own signed text")
    func signedTexts() throws {
        try Shop.run(.of(items: Self.items)) { shop in
            // The store's double tells transactions apart as Swift does, so it lists them as they are.
            shop.store.listed = [(Self.composed, "gold"), (Self.decomposed, "silver")].map { id, product in
                .verified(StoreTransaction(id: id, productID: ProductID(product), signedText: product))
            }
            try shop.launch()
            #expect(shop.deliveries.map(\.transaction?.signedText) == ["gold", "silver"])
        }
    }

    @Test("a subscription isn't listed if only one with a name that is equal to Swift is")
    func subscriptions() throws {
        let end = Date(timeIntervalSince1970: 1_795_000_000)
        let answer = StoreAnswer(environment: .production, date: end, isFromStore: true, subscriptions: ["caf\u{E9}"])
        let other = StoreTransaction(id: Self.decomposed, productID: "pro", expirationDate: end)
        #expect(other.validity(after: answer, at: end) == .ended)
        let both = try #require(answer.adding(other, signed: nil))
        #expect(both.subscriptions.count == 2)
        #expect(try Self.entry(JournalEntry.answer(both).json) == .answer(both))
    }

    @Test("an app's own purchase that isn't verified doesn't have the kept answer of one that is equal to Swift")
    func kept() {
        let rule = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "2"])
        func judge(_ id: String, isVerified: Bool, _ kept: inout PaidBefore.Kept?) -> PaidBefore.Reason {
            let purchase = AppPurchase(
                id: id,
                isVerified: isVerified,
                isRevoked: false,
                originalPlatform: .iOS,
                originalVersion: "1",
                originalPurchase: .distantPast
            )
            return rule.answer(for: purchase, on: .iOS, kept: &kept).reason
        }
        var kept: PaidBefore.Kept?
        #expect(judge(Self.composed, isVerified: true, &kept) == .versionBefore)
        #expect(judge(Self.composed, isVerified: false, &kept) == .keptAnswer)
        #expect(judge(Self.decomposed, isVerified: false, &kept) == .notVerified)
    }

    // MARK: The journal

    private static func entry(_ json: String) throws -> JournalEntry {
        try Array(json.utf8).withUnsafeBufferPointer { try JournalEntry(json: $0) }
    }

    /// Lines with a name at the place of the `*`.
    nonisolated private static let lines = [
        #"{"purchase":"*","product":"a","grants":{"a":0},"stage":"delivered"}"#,
        #"{"purchase":"1","product":"*","grants":{"a":0},"stage":"delivered"}"#,
        #"{"purchase":"1","product":"a","item":"*","grants":{"a":0},"stage":"delivered"}"#,
        #"{"purchase":"1","product":"a","grants":{"*":0},"stage":"delivered"}"#,
        #"{"reward":"*","referrer":"a","grants":{"a":0},"stage":"delivered"}"#,
        #"{"reward":"a","referrer":"*","grants":{"a":0},"stage":"delivered"}"#,
        #"{"reward":"a","program":"*","number":1,"grants":{"a":0},"stage":"delivered"}"#,
        #"{"free":"*","grants":{"a":0},"stage":"delivered"}"#,
        #"{"spent":"*","total":1,"environment":"production"}"#,
        #"{"reached":"*"}"#,
        #"{"invited":"*","program":"a"}"#,
        #"{"invited":"a","program":"*"}"#,
        #"{"claim":"*","parameters":{},"isSigned":false}"#,
        #"{"answered":0,"environment":"production","isFromStore":true,"subscriptions":{"*":true}}"#,
    ]

    @Test("a line of the journal whose name is longer than 256 bytes is damaged", arguments: lines)
    func length(line: String) throws {
        func entry(_ count: Int) throws -> JournalEntry {
            try Self.entry(line.replacingOccurrences(of: "*", with: String(repeating: "a", count: count)))
        }
        #expect(throws: Never.self) { try entry(256) }
        #expect(throws: JournalEntryError.damaged) { try entry(257) }
    }
}
