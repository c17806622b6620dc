import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// A view presents nothing while a sheet over it closes. What the shop tells then is told afterwards.
    @MainActor
    struct ShopClosingTests {
        private static let items = """
            {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],"text":{"en":{"title":"Gold"}}}
            """

        /// A shop on the page of an item, whose purchase has begun.
        private static func stage() async throws -> (ShopStage, HeldStore, ShopView) {
            let (stage, store) = try ShopStage.held(items: items)
            await stage.start()
            let view = ShopView(stage.unlocks)
            try view.openPage(of: "Gold")
            store.isHeld = true
            try view.press("2,99 €")
            await until("it is being bought") { stage.unlocks.activity == .purchasing("gold") }
            return (stage, store, view)
        }

        private static func isBought(_ stage: ShopStage, _ view: some View) async {
            await until("it is theirs") {
                stage.unlocks.state(of: "gold").isUnlocked && !Rendering(view).buttons.contains(where: \.isDisabled)
            }
        }

        @Test("news that comes while an item's page closes are told on the list after that")
        func closingPage() async throws {
            defer { Animation.isHeld = false }
            let (stage, store, view) = try await Self.stage()
            Animation.isHeld = true
            try view.press("Close")
            #expect(Rendering(view).buttons.last { $0.title == "Close" } == nil, "the page closes")
            store.isHeld = false
            await Self.isBought(stage, view)
            #expect(Rendering(view).alert == nil)
            Animation.isHeld = false
            await until("they are told") { Rendering(view).alert == ["Thank you!", "Gold"] }
        }
    }
}
