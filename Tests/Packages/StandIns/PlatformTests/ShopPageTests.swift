import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

#if canImport(UIKit)
import SafariServices
#endif

extension PlatformTests {
    /// The page of an item, and the view for the place where something is locked.
    @MainActor
    struct ShopPageTests {
        private static let items = """
            {"id":"full","product":"full","kind":"nonConsumable","grants":["pro"],"icon":"FullIcon",
             "pictures":["FullBoards","https://127.0.0.1:1/full.png"],"page":"https://example.com/full",
             "about":{"en":"As many boards as you like.\\n\\nOn all your devices.","de":"So viele Bretter, wie du willst."},
             "files":[{"path":"a.json","url":"https://example.com/a.json","length":\(HeldSite.length),
                       "sha256":"\(HeldSite.sha256)"}],
             "text":{"en":{"title":"Full version","detail":"No limits."}}},
            {"id":"taster","product":"taster","kind":"trial","days":14,"grants":["pro"],"text":{"en":{"title":"Try it"}}},
            {"id":"season","product":"season","kind":"nonRenewing","days":30,"grants":["pro"],"text":{"en":{"title":"Season"}}},
            {"id":"club","product":"club","kind":"subscription","grants":["club"],"text":{"en":{"title":"Club boards"}}}
            """
        private nonisolated static let terms = URL(string: "https://example.com/terms")
        private nonisolated static let privacy = URL(string: "https://example.com/privacy")

        private static func stage() async throws -> ShopStage {
            let stage = try ShopStage(items: items)
            stage.store.products = [
                .init(id: "full", price: "4,99 €"), .init(id: "taster", price: "0,00 €"),
                .init(id: "season", price: "2,99 €", kind: .nonRenewing),
                .init(
                    id: "club",
                    price: "1,99 €",
                    kind: .subscription(seconds: 2_592_000),
                    period: SubscriptionPeriod(.month),
                    title: "The Club"
                ),
            ]
            await stage.start()
            return stage
        }

        private static func shop(_ stage: ShopStage) -> ShopView {
            ShopView(stage.unlocks, terms: terms, privacy: privacy)
        }

        @Test("a row leads to a page with pictures, paragraphs, the web page and the buttons, and it closes")
        func page() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            let list = Rendering(view)
            #expect(
                try view.openPage(of: "Full version") == [
                    "Full version", "No limits.", "4,99 €", "As many boards as you like.", "On all your devices.",
                    "More",
                    "Restore Purchases", "Redeem Code", "Terms of Use", "Privacy Policy", "Close",
                ]
            )
            #expect(Rendering(view).pictures == ["FullIcon", "FullIcon", "FullBoards"])
            let links = Rendering(view).links.map(\.absoluteString)
            #expect(links.contains("https://example.com/full"))
            try view.press("Close")
            #expect(Rendering(view).texts == list.texts)
        }

        @Test("a running trial says how many days are left, and what comes after it; one that is over is gone")
        func runningTrial() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            stage.store.buyElsewhere("taster")
            await until("the trial runs") { Rendering(view).texts.contains("Active") }
            let start = stage.clock.now.date
            let end = "What it opens is locked again then.|After that: Full version for 4,99 €.|Active"
            for (seconds, days) in [(0.0, 14), (86_399, 14), (86_401, 13), (14 * 86_400 - 1, 1)] {
                stage.clock.now = Timestamp(start + seconds)
                #expect(Rendering(view).texts.joined(separator: "|").contains("Try it|\(days) days left|\(end)"))
            }
            stage.clock.now = Timestamp(start + 14 * 86_400)
            #expect(!Rendering(view).texts.contains("Try it"))
            stage.store.buyElsewhere("full")
            await until("it is theirs") { Rendering(view).texts.contains("Yours") }
            #expect(!Rendering(view).texts.contains("Try it"), "the full version doesn't bring it back")
        }

        private struct Sheet<Content: View>: View {
            let content: Content
            @State private var isOpen = true

            init(_ content: Content) { self.content = content }

            var body: some View { EmptyView().sheet(isPresented: $isOpen) { content } }
        }

        @Test("without both addresses no subscription is offered, and the app's log hears why; who has one sees it")
        func withoutTerms() async throws {
            let stage = try await Self.stage()
            for (terms, privacy) in [(nil, nil), (Self.terms, nil), (nil, Self.privacy)] as [(URL?, URL?)] {
                var problems: [ItemID] = []
                stage.unlocks.onProblem = { problem in
                    if case .subscriptionNotOffered(let item) = problem { problems.append(item) }
                }
                let rendering = Rendering(ShopView(stage.unlocks, terms: terms, privacy: privacy))
                #expect(!rendering.texts.contains("The Club"))
                #expect(rendering.links == [terms, privacy].compactMap(\.self))
                for task in rendering.tasks { await task() }
                #expect(problems == ["club"])
            }
            stage.store.buyElsewhere("club")
            await until("it arrives") { stage.unlocks.state(of: "club").isUnlocked }
            #expect(Rendering(ShopView(stage.unlocks)).texts.contains("The Club"))
        }

        @Test("in a sheet, the shop and the view of one item have a button that closes it")
        func sheet() async throws {
            let stage = try await Self.stage()
            func check(_ view: some View) throws {
                #expect(!Rendering(view).texts.contains("Close"), "there is nothing to close")
                let sheet = Sheet(view)
                try sheet.press("Close")
                #expect(Rendering(sheet).texts.isEmpty)
            }
            try check(Self.shop(stage))
            try check(UpgradeView(stage.unlocks, item: "full"))
        }

        private nonisolated static let periods: [SubscriptionPeriod?] = [SubscriptionPeriod(.month), nil]

        @Test(
            "after a trial, a subscription has a price with its period; one that isn't offered isn't named",
            arguments: periods
        )
        func subscriptionAfterTrial(_ period: SubscriptionPeriod?) async throws {
            let stage = try ShopStage(
                items: """
                    {"id":"taster","product":"taster","kind":"trial","days":14,"grants":["club"]},
                    {"id":"club","product":"club","kind":"subscription","grants":["club"],"text":{"en":{"title":"Club"}}}
                    """
            )
            let kind: ScriptedStore.Product.Kind = period == nil ? .nonConsumable : .subscription(seconds: 2_592_000)
            stage.store.products = [
                .init(id: "taster", price: "0,00 €"), .init(id: "club", price: "1,99 €", kind: kind, period: period),
            ]
            await stage.start()
            let price = "After that: Club for 1,99 € every 1 months."
            let rendering = Rendering(Self.shop(stage))
            #expect(rendering.texts.contains(price) == (period != nil))
            #expect(period != nil || !rendering.texts.contains { $0.hasPrefix("After that") })
            let withoutTerms = Rendering(ShopView(stage.unlocks)).texts
            #expect(withoutTerms.contains("Free for 14 days."))
            #expect(!withoutTerms.contains { $0.contains("Club") }, "a subscription without its terms isn't offered")
        }

        @Test("who has it can load it again after a question, ask for a refund, and manage a subscription")
        func theirs() async throws {
            let stage = try await Self.stage()
            stage.store.buyElsewhere("full")
            stage.store.buyElsewhere("club")
            await until("they are delivered") { stage.unlocks.state(of: "club").isUnlocked }
            await until("it is delivered") { stage.unlocks.state(of: "pro").isUnlocked }
            var deliveries = 0
            stage.deliver = { _ in deliveries += 1 }
            let view = Self.shop(stage)
            try view.press("Something is missing?")
            #expect(Rendering(view).alert?.first == "Delete the downloaded content, and load it again?")
            try view.press("Download Again")
            await until("all was delivered again") { deliveries == 2 }
            deliveries = 0
            try view.openPage(of: "The Club")
            #if canImport(UIKit)
            try view.press("Manage Subscription")
            #expect(Rendering(view).systemSheets.contains("subscriptions"))
            #else
            // A Mac has no such sheet.
            let links = Rendering(view).links.map(\.absoluteString)
            #expect(links.contains("https://apps.apple.com/account/subscriptions"))
            #endif
            try view.press("Close")
            #expect(try view.openPage(of: "Full version").contains("Yours"))
            try view.press("Download Again")
            #expect(Rendering(view).alert?.first == "Delete the downloaded content, and load it again?")
            #expect(deliveries == 0)
            try view.press("Download Again")
            await until("it was delivered again") { deliveries == 1 }
            try view.press("Request a Refund")
            let refunds = Rendering(view).systemSheets.filter { $0.hasPrefix("refund") }
            #expect(refunds == ["refund of 1"], "the list behind the page doesn't show it too")
        }

        @Test("while files are loaded, a bar in the row and on the page says how much, and so does the activity")
        func bar() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            try view.openPage(of: "Full version")
            stage.site.isHeld = true
            stage.store.buyElsewhere("full")
            await until("a part is loaded") { Rendering(view).texts.contains("Loading 12 kB of 81 kB") }
            #expect(Rendering(view).texts.count { $0 == "Loading 12 kB of 81 kB" } == 2)
            let part = 12.0 / 81
            #expect(Rendering(view).bars == [part, part])
            #expect(stage.unlocks.activity == .loading("full"))
            let old = Rendering(view)
            stage.site.isHeld = false
            await until("it is delivered") { stage.unlocks.state(of: "pro").isUnlocked }
            #expect(old.isOutdated)
            await until("it is theirs") { Rendering(view).texts.contains("Yours") }
            #expect(Rendering(view).bars.isEmpty)
            await until("nothing goes on") { stage.unlocks.activity == nil }
        }

        @Test("a code can be redeemed, and the store is asked again then")
        func redeem() async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            try view.press("Redeem Code")
            let asked = stage.store.askedProducts.count
            #expect(Rendering(view).systemSheets == ["offer code"])
            let finish = try #require(Rendering(view).sheetActions.last)
            finish()
            await until("the store was asked") { stage.store.askedProducts.count > asked }
            #expect(Rendering(view).systemSheets.isEmpty)
        }

        @Test("the app hears of a purchase, and of what goes on")
        func activity() async throws {
            let stage = try await Self.stage()
            var bought: [ItemID] = []
            var activities: [UnlockCenter.Activity?] = []
            stage.deliver = { [weak stage] _ in activities.append(stage?.unlocks.activity) }
            let view = Self.shop(stage).onPurchase { bought.append($0.id) }
            try view.press("2,99 €")
            await until("it was told") { bought == ["season"] }
            await until("it is delivered") { activities == [.delivering("season")] && stage.unlocks.delivery == nil }
            #expect(stage.unlocks.activity == nil)
        }

        @Test("where something is locked, its item is for sale, and the content comes after it")
        func upgrade() async throws {
            let stage = try await Self.stage()
            let gate = Unlocked("club") { Text("the club") }
                .unlocks(stage.unlocks, terms: Self.terms, privacy: Self.privacy)
            #expect(
                Rendering(gate).texts == [
                    "To continue, you need: The Club", "The Club", "Renews by itself until you cancel it.",
                    "1,99 € every 1 months", "Restore Purchases", "Redeem Code",
                    "A subscription renews by itself until you cancel it in the settings of your Apple Account.",
                    "Terms of Use", "Privacy Policy",
                ]
            )
            let (terms, privacy) = (Self.terms, Self.privacy)
            let upgrade = UpgradeView(stage.unlocks, item: "full", besides: "club", terms: terms, privacy: privacy)
            #expect(Rendering(upgrade).texts.prefix(2) == ["To continue, you need: Full version", "Full version"])
            #expect(Rendering(upgrade).texts.contains("Club boards"), "what the other one opens")
            let reason = UpgradeView(stage.unlocks, item: "full", reason: Text("Ten boards are free."))
            #expect(Rendering(reason).texts.prefix(2) == ["Ten boards are free.", "Full version"])
            try upgrade.press("4,99 €")
            await until("it is theirs") { Rendering(upgrade).texts.contains("Yours") }
            #expect(Rendering(upgrade).texts.first == "Full version", "nothing is missing")
            #expect(Rendering(reason).texts.first == "Full version")
            stage.store.buyElsewhere("club")
            await until("it is delivered") { Rendering(gate).texts == ["the club"] }
            let without = UpgradeView(stage.unlocks, item: "nothing")
            #expect(Rendering(without).texts.first == "This is not for sale now.")
        }

        /// The links of an item's page.
        private nonisolated static let links: [(String, URL?)] = [
            ("More", URL(string: "https://example.com/full")), ("Terms of Use", terms), ("Privacy Policy", privacy),
        ]

        @Test("a link shows its page without leaving an iPhone's app, and in the browser of a Mac", arguments: links)
        func browser(_ title: String, _ address: URL?) async throws {
            let stage = try await Self.stage()
            let view = Self.shop(stage)
            try view.openPage(of: "Full version")
            let page = Rendering(view)
            let link = try #require(page.tappableLinks.last { $0.title == title })
            #expect(link.destination == address)
            let leaving = link.tap()
            #if canImport(UIKit)
            #expect(leaving == nil)
            #expect(page.controllers.isEmpty)
            let browsers = Rendering(view, after: page).controllers.compactMap { $0 as? SFSafariViewController }
            #expect(browsers.map(\.url) == [address])
            #else
            #expect(leaving == address)
            #endif
        }

        @Test("the system opens what the browser may not accept", arguments: ["http", "HTTPS", "mailto"])
        func otherSchemes(_ scheme: String) async throws {
            let stage = try await Self.stage()
            let address = URL(string: "\(scheme)://example.com/terms")
            let view = ShopView(stage.unlocks, terms: address, privacy: Self.privacy)
            let shop = Rendering(view)
            #expect(try #require(shop.tappableLinks.first).tap() == address)
            #if canImport(UIKit)
            #expect(Rendering(view, after: shop).controllers.isEmpty)
            #endif
        }
    }
}
