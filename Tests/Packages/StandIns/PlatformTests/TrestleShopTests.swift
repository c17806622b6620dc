import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

#if canImport(UIKit)
@testable import Trestle
#endif

extension PlatformTests {
    /// What the example sells, with the catalog that is in it.
    @MainActor
    struct TrestleShopTests {
        private func catalog() throws -> ShopCatalog {
            let path = "../../../../../Examples/Trestle.swiftpm/Sources/catalog.json"
            return try ShopCatalog(json: Data(contentsOf: URL(filePath: #filePath).appending(path: path).standardized))
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
            #expect(catalog.items.map(\.id) == ["free-boards", "taster", "gold-boards", "club", "ten-hints"])
            #expect(catalog.items[0].kind == .allowance(amount: 10, refill: nil))
            #expect(catalog.items[1].kind == .trial(days: 14))
            #expect(catalog.items[2].files.count == 40)
            #expect(catalog.rewards.map(\.id) == ["welcome", "thanks"])
            for item in catalog.items where item.productID != nil {
                #expect(item.text.text(for: ["en"])?.detail != nil, "\(item.id)")
                #expect(item.text.text(for: ["de"])?.detail != nil, "\(item.id)")
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

        #if canImport(UIKit)
        @Test("ten boards are free, with a warning before the last ones; the next one leads to the trial")
        func freeBoards() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let stage = try ShopStage()
            await stage.unlocks.use(try catalog())
            stage.store.products = [
                .init(id: "com.example.trestle.trial14", price: "0,00 €"),
                .init(id: "com.example.trestle.gold", price: "2,99 €"),
            ]
            await stage.start()
            let boards = Boards(in: folder, storage: folder.appending(path: "storage"))
            let section = NewBoardSection(unlocks: stage.unlocks, boards: boards) { Issue.record("\($0)") }
            for count in 1...10 {
                try section.press("Add a board")
                await until("it is there") { boards.names.count == count }
                let texts = ["New board", "\(10 - count) free boards left", "Add a board"]
                #expect(Rendering(section).texts == texts.filter { count >= 8 || $0 != texts[1] })
            }
            try section.press("Add a board")
            await until("the limit is shown") { Rendering(section).texts.contains("14-day Trial") }
            #expect(boards.names.count == 10)
            #expect(Rendering(section).texts.contains("After that: Gold boards for 2,99 €."))
            try section.press("0,00 €")
            await until("there is room") { Rendering(section).buttons.count == 2 }
            try section.press("There is room for more boards now.")
            #expect(Rendering(section).texts == ["New board", "Add a board"])
            try section.press("Add a board")
            await until("it is there") { boards.names.count == 11 }
            let later = Boards(in: folder, storage: folder.appending(path: "storage"))
            await until("a later launch has them") { later.names == boards.names }
        }
        #endif
    }
}
