import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What the shop says of the plans of one subscription, and of what a family member shares.
    @MainActor
    struct PlanShopTests {
        private static let items = """
            {"id":"month","product":"month","kind":"subscription","grants":["club"],"text":{"en":{"title":"Month"}}},
            {"id":"year","product":"year","kind":"subscription","grants":["club"],"text":{"en":{"title":"Year"}}},
            {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],"text":{"en":{"title":"Gold"}}}
            """
        private static let address = URL(string: "https://example.com/")
        private static let renewal = "Renews by itself until you cancel it."

        private static func stage() async throws -> ShopStage {
            let stage = try ShopStage(items: items)
            stage.store.products = [
                .init(
                    id: "month",
                    price: "1 €",
                    kind: .subscription(seconds: 2_592_000),
                    period: SubscriptionPeriod(.month),
                    introduction: .init(period: SubscriptionPeriod(.week)),
                    group: "club"
                ),
                .init(
                    id: "year",
                    price: "9 €",
                    kind: .subscription(seconds: 31_536_000),
                    period: SubscriptionPeriod(.year),
                    introduction: .init(period: SubscriptionPeriod(.week)),
                    group: "club"
                ), .init(id: "gold", price: "2 €"),
            ]
            await stage.start()
            return stage
        }

        private static func shop(_ stage: ShopStage) -> ShopView {
            ShopView(stage.unlocks, terms: address, privacy: address)
        }

        private static func told(_ view: some View) async -> [String]? {
            await until("they are told") { Rendering(view).alert != nil }
            return Rendering(view).alert
        }

        @Test("a subscriber reads the price of the other plan, without its introduction, and a button to change to it")
        func otherPlan() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            #expect(Rendering(view).texts.contains("Free for 1 weeks."))
            stage.store.buyElsewhere("month")
            await until("it is theirs") { Rendering(view).texts.contains("Yours") }
            let rendering = Rendering(view)
            let rows = [
                "Shop", "Month", "Yours", "Year", Self.renewal, "9 € every 1 years", "Change Plan", "Gold", "2 €",
            ]
            #expect(Array(rendering.texts.prefix(rows.count)) == rows)
            let button = try #require(rendering.buttons.first { $0.title == "Change Plan" })
            #expect((button.label, button.value) == ("Change to Year", "9 € every 1 years"))
            #expect(try Self.canManage("Year", view))
        }

        /// Whether the page of an item leads to the system's management of subscriptions.
        private static func canManage(_ title: String, _ view: some View) throws -> Bool {
            let page = try view.openPage(of: title)
            #if canImport(UIKit)
            return page.contains("Manage Subscription")
            #else
            let management = URL(string: "https://apps.apple.com/account/subscriptions")
            return Rendering(view).links.contains { $0 == management }
            #endif
        }

        @Test("a subscriber can manage a plan whose group isn't known, since the store or the catalog has it no more")
        func unknownGroup() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            stage.store.buyElsewhere("month")
            await until("it is theirs") { Rendering(view).texts.contains("Yours") }
            stage.store.products.removeFirst()
            await stage.unlocks.refresh()
            #expect(try Self.canManage("Year", view))
            try view.press("Close")
            let item = #"{"id":"year","product":"year","kind":"subscription","grants":["all"]}"#
            await stage.unlocks.use(try ShopCatalog(json: Data(#"{"format":1,"revision":2,"items":[\#(item)]}"#.utf8)))
            #expect(try Self.canManage("year", view))
        }

        @Test("changing to the other plan says thank you, or that the plan changes later")
        func change() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            stage.store.buyElsewhere("month")
            await until("it is theirs") { Rendering(view).texts.contains("Yours") }
            stage.store.nextPurchases = [.scheduled]
            try view.press("Change Plan")
            #expect(await Self.told(view) == ["Your plan changes when the current period ends.", "From then on: Year"])
            Rendering(view).dismissAlert?()
            await until("the button works again") { !Rendering(view).buttons.contains(where: \.isDisabled) }
            try view.press("Change Plan")
            #expect(await Self.told(view) == ["Thank you!", "Year"])
            let rows = ["Shop", "Month", Self.renewal, "1 € every 1 months", "Change Plan", "Year", "Yours"]
            await until("the year is theirs") { Array(Rendering(view).texts.prefix(rows.count)) == rows }
        }

        @Test("what a family member shares says so, and has neither a refund nor a subscription to manage")
        func shared() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            stage.store.beginFamilySharing("month")
            stage.store.beginFamilySharing("gold")
            await until("they are theirs") { Rendering(view).texts.count { $0 == "Yours" } == 2 }
            for title in ["Month", "Year", "Gold"] {
                let page = try view.openPage(of: title)
                #expect(page.contains("A family member shares this with you.") == (title != "Year"), "\(title)")
                #expect(!page.contains("Manage Subscription") && !page.contains("Request a Refund"), "\(title)")
                #expect(Rendering(view).links.allSatisfy { $0 == Self.address })
                try view.press("Close")
            }
            let upgrade = Rendering(UpgradeView(stage.unlocks, item: "gold")).texts
            #expect(upgrade.contains("A family member shares this with you."))
        }
    }
}
