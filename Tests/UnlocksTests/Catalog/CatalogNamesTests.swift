import Foundation
import TestSupport
import Testing
import UnlockCatalog
import Unlocks

/// What a catalog's names may be.
struct CatalogNamesTests {
    private static let item = #"{"id":"a","product":"p","kind":"nonConsumable","grants":["g"]NAME}"#
    private static let reward = #"{"id":"a","grants":["g"]NAME}"#

    /// An entry with one name in it, for each member that has names.
    private static let places: [(list: String, entry: String, member: String)] = [
        ("items", #"{"id":"NAME","product":"p","kind":"nonConsumable","grants":["g"]}"#, "id"),
        ("items", #"{"id":"a","product":"NAME","kind":"nonConsumable","grants":["g"]}"#, "product"),
        ("items", #"{"id":"a","product":"p","kind":"nonConsumable","grants":["g","NAME"]}"#, "grants"),
        ("items", item.replacing("NAME", with: #","includedIn":["NAME"]"#), "includedIn"),
        ("items", item.replacing("NAME", with: #","text":{"NAME":{"title":"A"}}"#), "text"),
        ("rewards", reward.replacing("NAME", with: #","parameter":"NAME","value":"v""#), "parameter"),
        ("rewards", reward.replacing("NAME", with: #","after":"NAME""#), "after"),
    ]

    private static func catalog(_ list: String, _ entry: String) throws -> ShopCatalog {
        try list == "items" ? .of(items: entry) : .of(rewards: entry)
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

    @Test("a file that can't exist beside the others is named by its place, and not by its path")
    func files() throws {
        let files = ["Anna.json", "anna.json"].map { path in
            #"{"path":"\#(path)","url":"https://example.com","length":1,"sha256":"\#(String(repeating: "0", count: 64))"}"#
        }
        let member = #","files":[\#(files.joined(separator: ","))]"#
        let rejection = try #require(ShopCatalog.of(items: Self.item.replacing("NAME", with: member)).rejections.first)
        #expect(rejection.description.hasSuffix("side by side, unlike files[1].path."))
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
}
