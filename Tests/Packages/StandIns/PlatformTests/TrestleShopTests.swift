import Foundation
import ReferralBridge
import SwiftUI
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What the example sells, with the catalog that is in it.
    @MainActor
    struct TrestleShopTests {
        private func catalog() throws -> Catalog {
            let path = "../../../../../Examples/Trestle.swiftpm/Sources/catalog.json"
            return try Catalog(json: Data(contentsOf: URL(filePath: #filePath).appending(path: path).standardized))
        }

        @Test("the running app has a context, with a platform and the user's languages")
        func context() {
            let context = ShopContext.current
            #if os(macOS)
            #expect(context.platform == .macOS)
            #else
            #expect(context.platform == .iOS)
            #endif
            #expect(context.languages == Locale.preferredLanguages)
            #expect(context.edition == nil)
        }

        @Test("the catalog is good, in both languages")
        func isGood() throws {
            let catalog = try catalog()
            #expect(catalog.rejections.isEmpty)
            #expect(catalog.items.count == 2)
            #expect(catalog.rewards.count == 1)
            for item in catalog.items {
                #expect(item.texts["en"]?.detail != nil, "\(item.id)")
                #expect(item.texts["de"]?.detail != nil, "\(item.id)")
            }
        }

        @Test("a friend's link earns the bonus board once a board is finished, and hints are bought and used")
        func earned() async throws {
            let stage = try ShopStage()
            await stage.start()
            await stage.unlocks.use(try catalog())
            let alice = try Referral(referrer: "alice", parameters: ["pack": "gold"])
            #expect(try await stage.unlocks.claim(Arrival(alice, road: .opened)) == ["welcome"])
            #expect(stage.unlocks.state(of: "bonus").isLocked)
            try await stage.unlocks.recordEvent("first-board")
            await until("it is delivered") { stage.unlocks.state(of: "bonus").isUnlocked }

            stage.store.products = [.init(id: "com.example.trestle.hints10", price: "0,99 €", kind: .consumable)]
            await stage.unlocks.refresh()
            let view = ShopView(stage.unlocks)
            #expect(Rendering(view).actions.map(\.title) == ["0,99 €", "Restore Purchases", "Redeem Code"])
            Rendering(view).actions.first?.press()
            await until("they are delivered") { stage.unlocks.balance(of: "hint") == 10 }
            #expect(try await stage.unlocks.spend(of: "hint"))
            #expect(stage.unlocks.balance(of: "hint") == 9)
        }
    }
}
