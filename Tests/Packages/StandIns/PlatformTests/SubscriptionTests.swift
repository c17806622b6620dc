import Foundation
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What App Review wants to see beside a subscription: guideline 3.1.2.
    @MainActor
    struct SubscriptionTests {
        private static let items = """
            {"id":"club","product":"club","kind":"subscription","grants":["club"],
             "text":{"en":{"title":"Club","detail":"All boards."}}}
            """
        private static let terms = URL(string: "https://example.com/terms")
        private static let privacy = URL(string: "https://example.com/privacy")

        /// A shop with a subscription of some length.
        private static func stage(_ period: SubscriptionPeriod?) async throws -> ShopStage {
            let stage = try ShopStage(items: items)
            let kind = period == nil ? ScriptedStore.Product.Kind.nonConsumable : .subscription(seconds: 2_592_000)
            stage.store.products = [.init(id: "club", price: "1,99 €", kind: kind, period: period)]
            await stage.start()
            return stage
        }

        @Test("title, length, price, and links to the terms of use and the privacy policy stand beside the button")
        func complete() async throws {
            let stage = try await Self.stage(SubscriptionPeriod(.month))
            let view = ShopView(stage.unlocks, terms: Self.terms, privacy: Self.privacy)
            let rendering = Rendering(view)
            #expect(
                rendering.texts == [
                    "Shop", "Club", "All boards.", "Renews by itself until you cancel it.", "1,99 € every 1 months",
                    "Restore Purchases", "Redeem Code",
                    "A subscription renews by itself until you cancel it in the settings of your Apple Account.",
                    "Terms of Use", "Privacy Policy",
                ]
            )
            #expect(rendering.links == [Self.terms, Self.privacy])
            let button = try #require(rendering.buttons.first)
            #expect(button.label == "Buy Club")
            #expect(button.value == "1,99 € every 1 months")
            var problems: [UnlocksProblem] = []
            stage.unlocks.onProblem = { problems.append($0) }
            for task in rendering.tasks { await task() }
            #expect(problems.isEmpty)
        }

        @Test("without both addresses no subscription is offered, and the app's log hears why; who has one sees it")
        func withoutTerms() async throws {
            let stage = try await Self.stage(SubscriptionPeriod(.month))
            for (terms, privacy) in [(nil, nil), (Self.terms, nil), (nil, Self.privacy)] as [(URL?, URL?)] {
                var problems: [ItemID] = []
                stage.unlocks.onProblem = { problem in
                    if case .subscriptionNotOffered(let item) = problem { problems.append(item) }
                }
                let rendering = Rendering(ShopView(stage.unlocks, terms: terms, privacy: privacy))
                #expect(rendering.texts.contains("There is nothing to buy now."))
                #expect(!rendering.texts.contains("Club"))
                #expect(rendering.actions.map(\.title) == ["Restore Purchases", "Redeem Code"])
                #expect(rendering.links == [terms, privacy].compactMap(\.self))
                for task in rendering.tasks { await task() }
                #expect(problems == ["club"])
            }
            let disabled = try ShopStage(items: Self.items.replacing(#""kind""#, with: #""enabled":false,"kind""#))
            disabled.unlocks.onProblem = { Issue.record("what isn't for sale isn't reported: \($0)") }
            for task in Rendering(ShopView(disabled.unlocks)).tasks { await task() }
            let included = Self.items.replacing(#""kind""#, with: #""includedIn":["full"],"kind""#)
            let full = try ShopStage(items: included, edition: "full")
            #expect(Rendering(ShopView(full.unlocks)).texts.contains("Included"))
            stage.store.buyElsewhere("club")
            await until("it arrives") { stage.unlocks.state(of: "club").isUnlocked }
            #expect(Rendering(ShopView(stage.unlocks)).texts.contains("Yours"))
        }

        @Test("a subscription whose length the store doesn't tell is not for sale")
        func withoutPeriod() async throws {
            let stage = try await Self.stage(nil)
            let rendering = Rendering(ShopView(stage.unlocks, terms: Self.terms, privacy: Self.privacy))
            #expect(rendering.texts.contains("Not available"))
            #expect(!rendering.texts.contains("1,99 €"))
        }
    }
}
