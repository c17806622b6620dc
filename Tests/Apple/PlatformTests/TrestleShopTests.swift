import Foundation
import ReferralBridge
import SwiftUI
import Testing
import Unlocks

extension PlatformTests {
    /// What the example sells, with the catalogue that is in it.
    @MainActor
    struct TrestleShopTests {
        private func catalogue() throws -> Catalogue {
            let path = "../../../../Examples/Trestle.swiftpm/Sources/catalogue.json"
            return try Catalogue(json: Data(contentsOf: URL(filePath: #filePath).appending(path: path).standardized))
        }

        @Test("the catalogue is good, in both languages")
        func isGood() throws {
            let catalogue = try catalogue()
            #expect(catalogue.rejections.isEmpty && catalogue.items.count == 2 && catalogue.rewards.count == 1)
            for item in catalogue.items {
                #expect(item.texts["en"]?.detail != nil && item.texts["de"]?.detail != nil, "\(item.id)")
            }
        }

        @Test("a friend's link earns the bonus board once a board is finished, and hints are bought and used")
        func earned() async throws {
            let stage = try ShopStage()
            await stage.start()
            await stage.unlocks.use(try catalogue())
            let alice = try Referral(referrer: "alice", parameters: ["pack": "gold"])
            #expect(try await stage.unlocks.claim(alice) == ["welcome"])
            #expect(stage.unlocks.state(of: "bonus").isLocked)
            try await stage.unlocks.didReach("first-board")
            await until("it is delivered") { stage.unlocks.state(of: "bonus").isUnlocked }

            stage.store.products = [.init(id: "com.example.trestle.hints10", price: "0,99 €", kind: .consumable)]
            await stage.unlocks.refresh()
            let view = ShopView(stage.unlocks)
            #expect(Rendering(view).buttons.map(\.title) == ["0,99 €", "Restore Purchases"])
            Rendering(view).buttons.first?.press()
            await until("they are delivered") { stage.unlocks.doses(of: "hint") == 10 }
            #expect(try await stage.unlocks.spend(of: "hint") && stage.unlocks.doses(of: "hint") == 9)
        }
    }
}
