import Foundation
import SwiftUI
import TestSupport
import Testing
import Unlocks

extension PlatformTests {
    /// The shop with the catalog's sections.
    @MainActor
    struct ShopSectionTests {
        private static let catalog = """
            {"format":1,"revision":2,"sections":[
              {"items":["hints","nothing","sale"],"text":{"en":{"title":"Help"},"de":{"title":"Hilfe"}}},
              {"items":["sale"],"text":{"en":{"title":"Sale"},"de":{"title":"Angebote"}}},
              {"items":["gold","silver"],"text":{"en":{"title":"Boards"},"de":{"title":"Bretter"}}}],
             "items":[
              {"id":"silver","kind":"nonConsumable","grants":["silver"],"free":true,
               "text":{"en":{"title":"Silver boards"},"de":{"title":"Silberne Bretter"}}},
              {"id":"pencil","kind":"nonConsumable","grants":["pencil"],"free":true,
               "text":{"en":{"title":"Pencil"},"de":{"title":"Bleistift"}}},
              {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],
               "text":{"en":{"title":"Gold boards"},"de":{"title":"Goldene Bretter"}}},
              {"id":"sale","product":"sale","kind":"nonConsumable","grants":["sale"],"enabled":false},
              {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"],
               "text":{"en":{"title":"Ten hints"},"de":{"title":"Zehn Tipps"}}}]}
            """

        private nonisolated static let texts: [(language: String, [String])] = [
            (
                "en",
                [
                    "Help", "Ten hints", "0,99 €", "Boards", "Silver boards", "Get", "Gold boards", "2,99 €", "Pencil",
                    "Get", "Restore Purchases", "Redeem Code",
                ]
            ),
            (
                "de",
                [
                    "Hilfe", "Zehn Tipps", "0,99 €", "Bretter", "Silberne Bretter", "Laden", "Goldene Bretter",
                    "2,99 €",
                    "Bleistift", "Laden", "Käufe wiederherstellen", "Code einlösen",
                ]
            ),
        ]

        @Test(
            "sections come in order with their titles, without empty ones, and the other offers come last",
            arguments: texts
        )
        func sections(_ language: String, _ texts: [String]) async throws {
            let stage = try ShopStage()
            await stage.start()
            await stage.unlocks.use(try ShopCatalog(json: Data(Self.catalog.utf8)))
            stage.unlocks.context.languages = [language]
            let view = ShopView(stage.unlocks)
            await until("the prices are there") { Rendering(view).texts.contains("2,99 €") }
            let catalog = try StringCatalog("Unlocks/Shop")
            let rendering = Rendering(view)
            #expect(rendering.sentences.map { catalog.text($0, in: language) } == texts)
        }
    }
}
