import Foundation
import SimulatedRuntime
import TestSupport
import Testing
import UnlockCatalog
import Unlocks

/// What a catalog's names may be, and what a hostile catalog costs.
struct CatalogNamesTests {
    private static let item = #"{"id":"a","product":"p","kind":"nonConsumable","grants":["g"]NAME}"#
    private static let reward = #"{"id":"a","grants":["g"]NAME}"#

    /// An entry with one name in it, for each member that has names.
    private static let places: [(list: String, entry: String, member: String)] = [
        ("items", #"{"id":"NAME","product":"p","kind":"nonConsumable","grants":["g"]}"#, "id"),
        ("items", #"{"id":"a","product":"NAME","kind":"nonConsumable","grants":["g"]}"#, "product"),
        ("items", #"{"id":"a","product":"NAME","kind":"nonConsumable","grants":["g"],"free":true}"#, "product"),
        ("items", #"{"id":"a","product":"p","kind":"nonConsumable","grants":["g","NAME"]}"#, "grants"),
        ("items", item.replacing("NAME", with: #","platforms":["NAME"]"#), "platforms"),
        ("items", item.replacing("NAME", with: #","includedIn":["NAME"]"#), "includedIn"),
        ("items", item.replacing("NAME", with: #","text":{"NAME":{"title":"A"}}"#), "text"),
        ("rewards", #"{"id":"NAME","grants":["g"]}"#, "id"),
        ("rewards", #"{"id":"a","grants":["NAME"]}"#, "grants"),
        ("rewards", reward.replacing("NAME", with: #","parameter":"NAME","value":"v""#), "parameter"),
        ("rewards", reward.replacing("NAME", with: #","after":"NAME""#), "after"),
    ]

    private static func catalog(_ list: String, _ entry: String) throws -> ShopCatalog {
        try list == "items" ? .of(items: entry) : .of(rewards: entry)
    }

    /// The title of the first item.
    private static func title(_ catalog: ShopCatalog, in language: String = "en") -> String? {
        let context = ShopContext(appVersion: "1", platform: .iOS, languages: [language])
        return catalog.offers(in: context, Holdings()).first?.text?.title
    }

    @Test("a name of 256 bytes is taken, and an entry with a longer one is left out", arguments: places.indices)
    func length(place: Int) throws {
        let (list, entry, member) = Self.places[place]
        // Each character has 2 bytes.
        let longest = entry.replacing("NAME", with: String(repeating: "\u{E9}", count: 128))
        #expect(try Self.catalog(list, longest).rejections == [])
        let rejections = try Self.catalog(list, longest.replacing("\u{E9}\u{E9}\"", with: "\u{E9}\u{E9}a\""))
            .rejections
        #expect(rejections.count == 1)
        #expect(rejections.allSatisfy { $0.path.hasPrefix("\(list)[0].\(member)") })
    }

    @Test("a composed and a decomposed name are two names: of items, products and rewards")
    func bytes() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let items = [composed, decomposed].map { name in
            #"{"id":"\#(name)","product":"\#(name)","kind":"consumable","amount":1,"grants":["\#(name)"]}"#
        }
        let rewards = [composed, decomposed].map { #"{"id":"\#($0)","grants":["g"]}"# }
        let catalog = try ShopCatalog.of(items: items.joined(separator: ","), rewards: rewards[1])
        #expect(catalog.items.count == 2)
        #expect(catalog.rejections == [])
        for name in [composed, decomposed] {
            let utf8 = Array(name.utf8)
            #expect(catalog.item(named: ItemID(name)).map { Array($0.id.rawValue.utf8) } == utf8)
            #expect(catalog.item(selling: ProductID(name))?.productID.map { Array($0.rawValue.utf8) } == utf8)
        }
        let first = try ShopCatalog.of(items: items[0], rewards: rewards.joined(separator: ","))
        #expect(first.rewards.count == 2)
        #expect(first.rejections == [])
        #expect(first.isCounted(UnlockID(composed)))
        #expect(!first.isCounted(UnlockID(decomposed)))
        #expect(first.item(selling: ProductID(decomposed)) == nil)
    }

    @Test("a text is read, and what is nested more deeply than anything in a catalog is ignored or wrong")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: #"{"a":["#, count: count) + "1" + String(repeating: "]}", count: count)
        }
        let text = #","text":{"en":{"title":"A","more":\#(nested(20))}},"more":\#(nested(20))"#
        let catalog = try ShopCatalog.of(items: Self.item.replacing("NAME", with: text))
        #expect(Self.title(catalog) == "A")
        #expect(catalog.rejections == [])
        for value in ["[]", nested(20)] {
            let wrong = try ShopCatalog.of(
                items: Self.item.replacing("NAME", with: #","text":{"en":{"title":\#(value)}}"#)
            )
            #expect(wrong.rejections.map(\.path) == ["items[0].text.en.title"])
        }
        // Deeper than any JSON is read.
        #expect(throws: CatalogError.notAnObject) { try ShopCatalog.of(items: nested(40)) }
    }

    @Test("two unlocks whose names differ by their bytes alone are two, with states and doses of their own")
    @MainActor
    func ledgerNames() throws {
        let (composed, decomposed): (UnlockID, UnlockID) = ("caf\u{E9}", "cafe\u{301}")
        let items = #"""
            {"id":"one","product":"one","kind":"nonConsumable","grants":["\#(composed)"]},
            {"id":"two","product":"two","kind":"consumable","amount":10,"grants":["\#(decomposed)"]}
            """#
        try Shop.run(.of(items: items)) { shop in
            for (id, product) in [("1", "one"), ("2", "two")] as [(String, ProductID)] {
                shop.store.record(.verified(StoreTransaction(id: id, productID: product)))
                try shop.launch()
                #expect(shop.state(composed) == .unlocked(by: [.purchase(transaction: "1")]))
                #expect(shop.state(decomposed)?.isUnlocked == (id == "2"))
            }
            #expect(try shop.unlocks?.spend(10, of: decomposed) == true)
            try shop.launch()
            #expect(shop.state(composed)?.isUnlocked == true)
            #expect(shop.state(decomposed) == .locked)
        }
    }
}
