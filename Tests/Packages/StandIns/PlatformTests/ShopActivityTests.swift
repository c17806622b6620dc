import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What the center says while the store is at work.
    @MainActor
    struct ShopActivityTests {
        private static func heldStage() async throws -> (ShopStage, HeldStore) {
            var held: HeldStore?
            let stage = try ShopStage { store in
                let new = HeldStore(store)
                held = new
                return new
            }
            await stage.start()
            return (stage, try #require(held))
        }

        private static func press(_ title: String, _ view: some View) throws {
            try #require(Rendering(view).buttons.first { $0.title == title }).press()
        }

        @Test("the activity is a purchase while one runs, and nothing after it")
        func purchasing() async throws {
            let (stage, held) = try await Self.heldStage()
            let view = ShopView(stage.unlocks)
            #expect(stage.unlocks.activity == nil)
            held.isHeld = true
            try Self.press("2,99 €", view)
            await until("it is being bought") { stage.unlocks.activity == .purchasing("gold") }
            let old = Rendering(view)
            held.isHeld = false
            await until("it is over") { stage.unlocks.activity == nil }
            #expect(old.isOutdated)
            #expect(stage.store.askedPurchases == ["gold"])
        }

        @Test("the activity is a restoration while one runs, and nothing after it", arguments: [true, false])
        func restoring(_ isReachable: Bool) async throws {
            let (stage, held) = try await Self.heldStage()
            let view = ShopView(stage.unlocks)
            stage.store.isReachable = isReachable
            held.isHeld = true
            try Self.press("Restore Purchases", view)
            await until("it restores") { stage.unlocks.activity == .restoring }
            let old = Rendering(view)
            held.isHeld = false
            await until("they are told") { Rendering(view).alert != nil }
            #expect(old.isOutdated)
            #expect(stage.unlocks.activity == nil)
        }
    }
}
