import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What the shop says after a purchase: that something is available only if it is.
    @MainActor
    struct ShopThanksTests {
        private static let file = """
            "files":[{"path":"a","url":"https://example.com/a","length":\(HeldSite.length),"sha256":"\(HeldSite.sha256)"}]
            """

        private static func press(_ title: String, _ view: some View) throws {
            try #require(Rendering(view).buttons.first { $0.title == title }, "there is no \(title)").press()
        }

        /// Taps a button, and returns what the shop says. It has waited for a short while if it does so once something is so.
        private static func alert(
            after title: String,
            _ view: ShopView,
            _ stage: ShopStage,
            waitingUntil isOver: () -> Bool = { false }
        ) async throws -> [String]? {
            Rendering(view).dismissAlert?()
            try press(title, view)
            await until("they are told") {
                if isOver() { stage.clock.endSleeps() }
                return Rendering(view).alert != nil && !Rendering(view).buttons.contains(where: \.isDisabled)
            }
            return Rendering(view).alert
        }

        @Test("a free item is available once its files are here, and not before")
        func freeFiles() async throws {
            let stage = try ShopStage(
                items: #"{"id":"pencil","kind":"nonConsumable","grants":["pencil"],"free":true,\#(Self.file)}"#
            )
            await stage.start()
            let view = ShopView(stage.unlocks)
            stage.site.isHeld = true
            let alert = try await Self.alert(after: "Get", view, stage) { stage.site.requests == 1 }
            #expect(alert == ["Thank you!", "Being delivered: pencil…"])
            #expect(stage.unlocks.state(of: "pencil") == .unknown(.beingDelivered))
            stage.site.isHeld = false
            await until("it is delivered") { stage.unlocks.state(of: "pencil").isUnlocked }
        }

        @Test("a free item is available once the app has delivered it, and the thank-you waits for that")
        func freeDelivery() async throws {
            let stage = try ShopStage(
                items: #"{"id":"pencil","kind":"nonConsumable","grants":["pencil"],"free":true}"#
            )
            await stage.start()
            let view = ShopView(stage.unlocks)
            var delivery: CheckedContinuation<Void, Never>?
            stage.deliver = { _ in await withCheckedContinuation { delivery = $0 } }
            try Self.press("Get", view)
            await until("it is being delivered") { delivery != nil }
            #expect(Rendering(view).alert == nil)
            delivery?.resume()
            await until("they are thanked") { Rendering(view).alert == ["Thank you!", "Now available: pencil"] }
        }

        @Test("a free pack that was taken gives nothing more, and the shop says so")
        func freePack() async throws {
            let stage = try ShopStage(
                items: #"{"id":"three","kind":"consumable","amount":3,"grants":["hint"],"free":true}"#
            )
            await stage.start()
            let view = ShopView(stage.unlocks)
            #expect(try await Self.alert(after: "Get", view, stage) == ["Thank you!", "Now available: three"])
            let had = ["You have this already.", "If something is missing, restore your purchases."]
            #expect(try await Self.alert(after: "Get", view, stage) == had)
            #expect(stage.unlocks.balance(of: "hint") == 3)
        }

        @Test("a second pack isn't available before it is delivered, though something of the first one is left")
        func secondPack() async throws {
            let stage = try ShopStage(
                items: #"{"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}"#
            )
            await stage.start()
            let view = ShopView(stage.unlocks)
            #expect(try await Self.alert(after: "0,99 €", view, stage) == ["Thank you!", "Now available: hints"])
            var delivery: CheckedContinuation<Void, Never>?
            stage.deliver = { _ in await withCheckedContinuation { delivery = $0 } }
            let alert = try await Self.alert(after: "0,99 €", view, stage) { delivery != nil }
            #expect(alert == ["Thank you!", "Paid, and being delivered: hints"])
            delivery?.resume()
            await until("they are here") { stage.unlocks.balance(of: "hint") == 20 }
        }

        @Test("a pass that is over on this device opens nothing, and isn't said to be available")
        func pastPass() async throws {
            let stage = try ShopStage(
                items: #"{"id":"pass","product":"pass","kind":"nonRenewing","days":1,"grants":["pro"]}"#
            )
            stage.store.products = [.init(id: "pass", price: "1,99 €", kind: .nonRenewing)]
            await stage.start()
            let past = Timestamp(stage.clock.now.date - 100_000)
            stage.store.clock = DeviceClock(now: { past })
            var isDelivered = false
            stage.deliver = { _ in isDelivered = true }
            let alert = try await Self.alert(after: "1,99 €", ShopView(stage.unlocks), stage) {
                isDelivered && stage.unlocks.offers.first?.state != .paid
            }
            #expect(alert == ["Thank you!", "Paid, and being delivered: pass"])
            #expect(stage.unlocks.state(of: "pro").isLocked)
        }

        @Test("a purchase that can't be used isn't said to be available; who has paid is told not to buy it again")
        func unusable() async throws {
            // It is longer than a name may be.
            let app = String(repeating: "a", count: 257)
            let stage = try ShopStage(wrap: { ForeignStore($0, app: app) })
            await stage.start()
            let view = ShopView(stage.unlocks)
            let doubt = [
                "The answer of the store can't be verified. If you have paid, do not buy it again.",
                "Restore your purchases later.",
            ]
            #expect(try await Self.alert(after: "2,99 €", view, stage) == doubt)
            #expect(stage.unlocks.state(of: "gold").isLocked)
        }
    }
}

/// A store whose purchases name another app.
@MainActor
private final class ForeignStore: PurchaseStore {
    private let store: ScriptedStore
    private let app: String

    init(_ store: ScriptedStore, app: String) {
        self.store = store
        self.app = app
    }

    var environment: StoreEnvironment? { store.environment }
    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        try await store.products(identifiers)
    }
    func purchase(_ product: ProductID) async throws -> StorePurchaseResult {
        .purchased(.verified(StoreTransaction(id: "1", productID: product, app: app)))
    }
    func unfinishedTransactions() async -> [StoreStatement] { [] }
    func currentEntitlements() async -> [StoreStatement] { [] }
    func updates() -> AsyncStream<StoreStatement> { store.updates() }
    func allTransactions() async -> [StoreStatement] { [] }
    func finish(_ transaction: StoreTransaction) async {}
    func appPurchase(isRefresh: Bool) async throws -> AppPurchase? { nil }
    func sync() async throws {}
}
