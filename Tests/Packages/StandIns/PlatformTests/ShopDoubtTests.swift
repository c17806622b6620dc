import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What the shop doesn't sell, because the person has paid for it or may have it.
    @MainActor
    struct ShopDoubtTests {
        private static let items = """
            {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],
             "text":{"en":{"title":"Gold boards","detail":"Forty more."}}}
            """

        private nonisolated static let doubts: [ShopOffer.Doubt] = [.storeNotAsked, .notOpened, .paidBefore]

        init() async { await Device.launchInFront() }

        /// A shop that doesn't know whether the person has the gold boards.
        private static func stage(_ doubt: ShopOffer.Doubt) async throws -> ShopStage {
            var paidBefore: PaidBefore?
            if doubt == .paidBefore { paidBefore = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "230"]) }
            let stage = try ShopStage(
                items: items,
                paidBefore: paidBefore,
                isBroken: doubt == .notOpened
            )
            stage.store.isReachable = doubt != .storeNotAsked
            stage.unlocks.start()
            await until("it is in doubt") {
                !Rendering(ShopView(stage.unlocks)).texts.contains("Loading…")
            }
            #expect(stage.unlocks.offers.map(\.state) == [.checking(doubt)])
            return stage
        }

        @Test("to try again opens the folder and asks the store, without a wait", arguments: doubts)
        func tryAgain(_ doubt: ShopOffer.Doubt) async throws {
            let stage = try await Self.stage(doubt)
            switch doubt {
            case .storeNotAsked: stage.store.isReachable = true
            case .paidBefore:
                stage.store.boughtApp = AppPurchase(
                    id: "7",
                    isVerified: true,
                    isRevoked: false,
                    originalPlatform: .iOS,
                    originalVersion: "231",
                    originalPurchase: Fixture.now.date
                )
            default: try stage.repair()
            }
            let view = ShopView(stage.unlocks)
            let old = Rendering(view)
            #expect(old.actions.map(\.title) == ["Try Again", "Restore Purchases", "Redeem Code"])
            try #require(old.buttons.first { $0.title == "Try Again" }).press()
            await until("it is for sale") { Rendering(view).buttons.first?.title == "2,99 €" }
            #expect(old.isOutdated)
            #expect(
                Rendering(view).texts == [
                    "Shop", "Gold boards", "Forty more.", "2,99 €", "Restore Purchases", "Redeem Code",
                ]
            )
        }

        @Test("at a launch the shop loads, until the store has answered; after the time limit it says that it can't")
        func loading() async throws {
            let (stage, held) = try ShopStage.held(items: Self.items)
            held.isHeld = true
            let view = ShopView(stage.unlocks)
            let loading = ["Shop", "Gold boards", "Forty more.", "Loading…", "Restore Purchases", "Redeem Code"]
            #expect(Rendering(view).texts == loading)
            stage.unlocks.start()
            await until("the store is asked") { held.waitingCount == 3 && stage.clock.sleeping == 1 }
            #expect(Rendering(view).texts == loading)
            let old = Rendering(view)
            stage.clock.endSleeps()
            await until("it is over") { Rendering(view).texts.contains("The store can't be reached.") }
            #expect(old.isOutdated)
            #expect(Rendering(view).actions.map(\.title) == ["Try Again", "Restore Purchases", "Redeem Code"])
            #expect(Rendering(view).texts.contains("Checking…"))
            Rendering(view).appear()
            await until("a shop that appears asks again") {
                Rendering(view).texts == loading && held.waitingCount == 6 && stage.clock.sleeping == 1
            }
            stage.clock.endSleeps()
            await until("that is over too") { Rendering(view).texts.contains("The store can't be reached.") }
            held.isHeld = false
            await until("the late answer counts") { Rendering(view).buttons.first?.title == "2,99 €" }
        }

        @Test("while it is being bought anywhere, progress takes the place of the price")
        func purchasing() async throws {
            let (stage, held) = try ShopStage.held(items: Self.items)
            await stage.start()
            let (view, other) = (ShopView(stage.unlocks), ShopView(stage.unlocks))
            let old = Rendering(other)
            held.isHeld = true
            try #require(Rendering(view).buttons.first).press()
            let texts = ["Shop", "Gold boards", "Forty more.", "Purchasing…", "Restore Purchases", "Redeem Code"]
            await until("it is being bought") { Rendering(other).texts == texts }
            #expect(old.isOutdated)
            #expect(Rendering(view).texts == texts)
            #expect(Rendering(other).actions.map(\.title) == ["Restore Purchases", "Redeem Code"])
            held.isHeld = false
            await until("it is delivered") { Rendering(view).texts.contains("Yours") }
            #expect(stage.store.askedPurchases == ["gold"])
            #expect(try StringCatalog("Unlocks/Shop").text("Purchasing…", in: "de") == "Wird gekauft …")
        }

        @Test("what is paid shows no price until it is delivered, though it is a subscription without an address")
        func paid() async throws {
            let club = #"{"id":"club","product":"club","kind":"subscription","grants":["club"]}"#
            let stage = try ShopStage(items: Self.items + "," + club)
            var deliveries: [CheckedContinuation<Void, Never>] = []
            stage.deliver = { _ in await withCheckedContinuation { deliveries.append($0) } }
            await stage.start()
            let view = ShopView(stage.unlocks)
            stage.store.products.append(.init(id: "club", price: "1,99 €", kind: .subscription(seconds: 2_592_000)))
            stage.store.buyElsewhere("gold")
            stage.store.buyElsewhere("club")
            await until("both are paid") { stage.unlocks.offers.map(\.state) == [.paid, .paid] }
            await until("it is being delivered") { deliveries.count == 1 }
            let paid = "Paid, being delivered"
            #expect(
                Rendering(view).texts == [
                    "Shop", "Gold boards", "Forty more.", paid, "club", paid,
                    "Restore Purchases", "Redeem Code",
                ]
            )
            #expect(Rendering(view).actions.map(\.title) == ["Restore Purchases", "Redeem Code"])
            #expect(try StringCatalog("Unlocks/Shop").text(paid, in: "de") == "Bezahlt, wird geliefert")
            await #expect(throws: UnlocksError.notForSale(.paid)) { try await stage.unlocks.buy("gold") }
            deliveries[0].resume()
            await until("the other is being delivered") { deliveries.count == 2 }
            deliveries[1].resume()
            await until("both are there") { Rendering(view).texts.count { $0 == "Yours" } == 2 }
            #expect(stage.store.askedPurchases.isEmpty)
        }
    }
}
