import Foundation
import ReferralBridge
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

/// The files of an item on their way through the queue: first they, then the app's own delivery.
@MainActor
final class ContentDeliveryTests {
    private typealias Answer = CatalogServer.Answer

    private let site: DownloadSite
    /// Pauses take no time. Time limits don't end.
    private let clock = TestClock(skippingUpTo: 20)
    private let store: ScriptedStore
    private let gold = Data.sample(100_000)
    private var delivered: [Delivery] = []
    private var problems: [UnlocksProblem] = []
    private var unlocks: UnlockCenter?

    init() throws {
        site = try DownloadSite()
        store = ScriptedStore(
            products: [
                ScriptedStore.Product(id: "gold", price: "1 €"), ScriptedStore.Product(id: "silver", price: "1 €"),
                ScriptedStore.Product(id: "club", price: "1 €", kind: .subscription(seconds: 1_000_000)),
                ScriptedStore.Product(id: "other", price: "1 €"), ScriptedStore.Product(id: "x", price: "1 €"),
            ],
            clock: clock.clock
        )
    }

    private func catalog(_ files: String..., revision: Int = 1) throws -> ShopCatalog {
        let items = #"""
            {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"],"files":[\#(files.joined(separator: ","))]},
            {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]},
            {"id":"club","product":"club","kind":"subscription","grants":["club"],"files":[\#(files.joined(separator: ","))]}
            """#
        return try ShopCatalog(json: Data(#"{"format":1,"revision":\#(revision),"items":[\#(items)]}"#.utf8))
    }

    /// Launches the app.
    private func launch(_ catalog: ShopCatalog) async throws -> UnlockCenter {
        if unlocks != nil {
            weak let ended = unlocks
            unlocks = nil
            await until { ended == nil }
        }
        let new = UnlockCenter(
            store: store,
            catalog: catalog,
            folder: site.folder,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: clock.clock,
            downloads: site.downloads()
        ) { [weak self] delivery in
            self?.delivered.append(delivery)
        }
        new.onProblem = { [weak self] in self?.problems.append($0) }
        new.start()
        unlocks = new
        await until { new.state(of: "gold") != .unknown(.notOpened) && new.products != nil }
        return new
    }

    private var content: URL? { delivered.last?.folder }

    private func contents(_ path: String) -> Data? {
        content.flatMap { try? Data(contentsOf: $0.appending(path: path)) }
    }

    private func buy(_ item: ItemID) async throws {
        let unlocks = try #require(unlocks)
        await until { unlocks.offers.contains { $0.item.id == item && $0.state == .forSale(price: "1 €") } }
        #expect(try await unlocks.buy(item) == .bought)
    }

    @Test("a new catalog loads what has changed, and gives it to the app")
    func newCatalog() async throws {
        let (silver, new) = (Data.sample(1_000, seed: 1), Data.sample(2_000, seed: 2))
        for (path, body) in [("gold", gold), ("silver", silver), ("new", new)] {
            try await site.put(path, Answer(body: body, manner: .file))
        }
        let files = [CatalogItem.File.json("gold", gold), CatalogItem.File.json("silver", silver)]
        let unlocks = try await launch(catalog(files[0], files[1]))
        try await buy("gold-pack")
        await until { unlocks.state(of: "gold").isUnlocked }
        #expect(delivered.count == 1)
        // The same files at another address, and one less.
        let moved = CatalogItem.File.json("gold", gold, url: "https://files.example/moved")
        try await unlocks.use(catalog(moved, revision: 2))
        await until { contents("silver") == nil && delivered.count == 2 }
        #expect(unlocks.state(of: "gold").isUnlocked)
        try await unlocks.use(
            catalog(moved, CatalogItem.File.json("sub/new", new, url: "https://files.example/new"), revision: 3)
        )
        await until { delivered.count == 3 }
        #expect(contents("sub/new") == new)
        #expect(contents("gold") == gold)
        #expect(unlocks.state(of: "gold").isUnlocked)
        #expect(try await site.requests("gold").count == 1)
        #expect(try await site.requests("moved").isEmpty)
        #expect(problems.isEmpty)
    }

    @Test("a renewed subscription, and another item with the same file, load nothing that is on the disk")
    func twins() async throws {
        try await site.put("gold", Answer(body: gold, manner: .file), Answer(status: 404))
        let unlocks = try await launch(catalog(CatalogItem.File.json("gold", gold)))
        try await buy("club")
        await until { unlocks.state(of: "club").isUnlocked }
        store.renew("club")
        await until { delivered.count == 2 }
        #expect(contents("gold") == gold)
        try await buy("gold-pack")
        await until { unlocks.state(of: "gold").isUnlocked }
        #expect(contents("gold") == gold)
        #expect(Set(delivered.map(\.folder)).count == 3)
        #expect(try await site.requests("gold").count == 1)
        #expect(problems.isEmpty)
    }

    @Test("without its item in the catalog, a purchase is delivered, and its files follow with a new catalog")
    func unknownFiles() async throws {
        try await site.put("gold", Answer(status: 404))
        let whole = try catalog(CatalogItem.File.json("gold", gold))
        _ = try await launch(whole)
        try await buy("gold-pack")
        await until { !problems.isEmpty }
        // The catalog from the web is lost, and the one in the app is older.
        let unlocks = try await launch(.of(items: #"{"id":"x","product":"x","kind":"nonConsumable","grants":["x"]}"#))
        await until { unlocks.state(of: "gold").isUnlocked }
        #expect(delivered.map(\.item) == [nil])
        try await site.put("gold", Answer(body: gold, manner: .file))
        try await unlocks.use(catalog(CatalogItem.File.json("gold", gold), revision: 2))
        await until { contents("gold") == gold }
    }

    @Test("a refund ends the loading, and everything goes")
    func refund() async throws {
        try await site.put("gold", Answer(body: gold, manner: .silent))
        let unlocks = try await launch(catalog(CatalogItem.File.json("gold", gold)))
        try await buy("gold-pack")
        await until { unlocks.progress(of: "gold-pack") != nil }
        store.refund("1")
        await until { unlocks.progress(of: "gold-pack") == nil }
        let names = site.folder.appending(path: "content").path()
        await until { (try? FileManager.default.contentsOfDirectory(atPath: names)) == [] }
        #expect(delivered.isEmpty && problems.isEmpty)
    }

    @Test("pauses grow while nothing gets further, and don't while something does")
    func pauses() async throws {
        // The second half is less than 64 KiB.
        let big = Data.sample(250_000)
        let broken = answer(.broken, big)
        try await site.put("gold", broken, broken, status(404), answer(.file, big))
        let unlocks = try await launch(catalog(CatalogItem.File.json("gold", big)))
        try await buy("gold-pack")
        await until { unlocks.state(of: "gold").isUnlocked }
        let pauses = problems.compactMap { if case .notDownloaded(_, _, _, let pause) = $0 { pause } else { nil } }
        #expect(pauses == [1, 1, 2])
        #expect(contents("gold") == big)
    }
}
