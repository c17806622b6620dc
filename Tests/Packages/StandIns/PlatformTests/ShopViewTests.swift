import Foundation
import ReferralBridge
import SimulatedRuntime
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    @MainActor
    struct ShopViewTests {
        private func buttons(_ view: some View) -> [String] {
            Rendering(view).actions.map { button in
                let spoken = [button.label, button.value].compactMap(\.self).joined(separator: ", ")
                return spoken.isEmpty ? button.title : "\(button.title): \(spoken)"
            }
        }

        /// Waits until nothing is under way, when the buttons can be pressed.
        private func rest(_ view: some View) async {
            await until("it is over") { !Rendering(view).buttons.contains(where: \.isDisabled) }
        }

        @Test("a tap buys, once, and meanwhile nothing else can be tapped")
        func buy() async throws {
            let stage = try ShopStage()
            await stage.start()
            let view = ShopView(stage.unlocks)
            let old = Rendering(view)
            try view.press("2,99 €")
            #expect(Rendering(view).actions.allSatisfy { $0.isDisabled })
            // A tap on what was shown before.
            try #require(old.buttons.first).press()
            await rest(view)
            #expect(stage.store.askedPurchases == ["gold"])
            await until("it is delivered") { stage.unlocks.state(of: "gold").isUnlocked }
            #expect(Rendering(view).texts.contains("Yours"))
            #expect(!buttons(view).contains { $0.contains("Gold") })
            await until("they are thanked") { Rendering(view).alert == ["Thank you!", "Gold boards"] }

            try view.press("Get")
            await until("it is delivered") { stage.unlocks.state(of: "pencil").isUnlocked }
            #expect(stage.store.askedPurchases == ["gold"], "the store isn't asked for what is free")
        }

        @Test("a purchase that somebody must approve waits, and can be asked for again")
        func waiting() async throws {
            let stage = try ShopStage()
            await stage.start()
            let view = ShopView(stage.unlocks)
            stage.store.nextPurchases = [.pending, .pending]
            try view.press("2,99 €")
            await rest(view)
            #expect(Rendering(view).texts.contains("Waiting for approval"))
            #expect(buttons(view).first == "Ask Again: Ask again for Gold boards")
            try view.press("Ask Again")
            await rest(view)
            #expect(stage.store.askedPurchases == ["gold", "gold"])
            stage.store.approve("gold")
            await until("it is delivered") { stage.unlocks.state(of: "gold").isUnlocked }
            #expect(Rendering(view).texts.contains("Yours"))
        }

        private struct SystemError: LocalizedError {
            var errorDescription: String? { "Käufe sind auf diesem Gerät nicht erlaubt." }
        }
        private struct SilentError: Error {}

        @Test(
            "a purchase that fails says so, with the system's reason if there is one; to change one's mind is no failure",
            arguments: [
                (.cancelled, nil),
                (.failed(SilentError()), ["The purchase failed. Try again later."]),
                (.failed(StoreError.noWindow), ["The purchase failed. Try again later."]),
                (
                    .failed(SystemError()),
                    ["The purchase failed. Try again later.", "Käufe sind auf diesem Gerät nicht erlaubt."]
                ),
                (
                    .failed(StoreError.unreachable),
                    ["The store can't be reached.", "Check the connection to the internet, and try again."]
                ),
                (
                    .unverified(reason: "forged"),
                    [
                        "The answer of the store can't be verified. If you have paid, do not buy it again.",
                        "Restore your purchases later.",
                    ]
                ),
            ] as [(ScriptedStore.Answer, [String]?)]
        )
        func failure(_ answer: ScriptedStore.Answer, _ alert: [String]?) async throws {
            let stage = try ShopStage()
            await stage.start()
            let view = ShopView(stage.unlocks)
            stage.store.nextPurchases = [answer]
            try view.press("2,99 €")
            await rest(view)
            #expect(Rendering(view).alert == alert)
            #expect(buttons(view).first == "2,99 €: Buy Gold boards, 2,99 €")
        }

        @Test("the store is asked to restore when the person taps, and never else; they hear what came of it")
        func restore() async throws {
            let stage = try ShopStage()
            await stage.start()
            let view = ShopView(stage.unlocks)
            for task in Rendering(view).tasks { await task() }
            #expect(stage.store.syncs == 0)
            try view.press("Restore Purchases")
            try #require(Rendering(view).buttons.last).press()
            await rest(view)
            #expect(stage.store.syncs == 1)
            #expect(
                Rendering(view).alert == [
                    "No purchases were found.",
                    "If you bought something with another Apple Account, sign in with that one and try again.",
                ]
            )
            let gold = stage.store.buyElsewhere("gold")
            for statement in await stage.store.unfinishedTransactions() where statement.transaction.id == gold {
                await stage.store.finish(statement.transaction)
            }
            await until("it arrives") { stage.unlocks.state(of: "gold").isUnlocked }
            try view.press("Restore Purchases")
            await rest(view)
            #expect(Rendering(view).alert == ["All your purchases are here already."])
            stage.store.refund(gold)
            await until("it is refunded") { !stage.unlocks.state(of: "gold").isUnlocked }
            stage.store.isReachable = false
            try view.press("Restore Purchases")
            await until("the store was asked") { stage.store.syncs == 3 }
            await rest(view)
            #expect(
                Rendering(view).alert == [
                    "The store can't be reached.", "Check the connection to the internet, and try again.",
                ]
            )
            #expect(Rendering(view).texts.contains("2,99 €"), "the prices stay")
        }

        @Test("offline, the shop says so, and asks again when it appears or when the person asks it to")
        func offline() async throws {
            let stage = try ShopStage()
            let view = ShopView(stage.unlocks)
            #expect(Rendering(view).texts.contains("Loading…"), "nothing was tried yet")
            stage.store.isReachable = false
            await stage.start()
            #expect(Rendering(view).texts.contains("The store can't be reached."))
            #expect(buttons(view) == ["Get: Get Pencil for free", "Try Again", "Restore Purchases", "Redeem Code"])
            let asked = stage.store.askedProducts.count
            for task in Rendering(view).tasks { await task() }
            #expect(stage.store.askedProducts.count == asked + 1)
            #expect(stage.unlocks.isOffline)
            stage.store.isReachable = true
            try view.press("Try Again")
            await until("the price is there") { buttons(view).first == "2,99 €: Buy Gold boards, 2,99 €" }
            #expect(!stage.unlocks.isOffline)
            #expect(!Rendering(view).texts.contains("The store can't be reached."))
        }

        @Test("a section has its title, and the offers that no section names come last")
        func sections() async throws {
            let stage = try ShopStage()
            await stage.start()
            let items = ["a", "b"].map { #"{"id":"\#($0)","kind":"nonConsumable","free":true,"grants":["g"]}"# }
            let sections = #"{"items":["b"],"text":{"en":{"title":"Help"}}}"#
            let lists = #""sections":[\#(sections)],"items":[\#(items.joined(separator: ","))]"#
            let json = #"{"format":1,"revision":2,\#(lists)}"#
            await stage.unlocks.use(try ShopCatalog(json: Data(json.utf8)))
            let texts = Rendering(ShopView(stage.unlocks)).texts
            #expect(texts == ["Help", "b", "Get", "a", "Get", "Restore Purchases", "Redeem Code"])
        }

        @Test("a view is drawn again whenever it would show something else")
        func redraw() async throws {
            let stage = try ShopStage()
            let shop = ShopView(stage.unlocks)
            var last = Rendering(shop)
            func check(_ act: String) async {
                // After each turn of the main actor, while what the act began goes on.
                await until {
                    let now = Rendering(shop)
                    #expect(last.isOutdated || now.texts == last.texts, "\(act): \(last.texts) became \(now.texts)")
                    last = now
                    return MainActorWatch.isIdle
                }
            }
            stage.store.isReachable = false
            stage.unlocks.start()
            await check("offline")
            stage.store.isReachable = true
            await stage.unlocks.refresh()
            await check("online")
            _ = try await stage.unlocks.buy("hints")
            await check("bought")
            _ = try await stage.unlocks.spend(of: "hint")
            await check("spent")
            stage.store.nextPurchases = [.pending]
            _ = try await stage.unlocks.buy("gold")
            await check("waits")
            stage.store.approve("gold")
            await check("approved")
            stage.store.refund("2")
            await check("refunded")
            stage.unlocks.context.edition = "full"
            await check("another edition")
            await stage.unlocks.use(try ShopCatalog(json: Data(#"{"format":1,"revision":2,"items":[]}"#.utf8)))
            await check("another catalog")
            #expect(last.texts == ["There is nothing to buy now.", "Restore Purchases", "Redeem Code"])
        }

        @Test("a bundle of the app's own takes the place of the library's, and each sentence is in each language")
        func bundle() async throws {
            let stage = try ShopStage()
            await stage.start()
            let keys = Rendering(ShopView(stage.unlocks, bundle: .main)).keys
            #expect(keys.allSatisfy { $0.bundle === Bundle.main })
            try StringCatalog("Unlocks/Shop").check()
        }
    }
}
