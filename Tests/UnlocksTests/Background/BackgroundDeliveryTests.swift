import Foundation
import ReferralBridge
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

/// The files of purchases, over the ends and the launches of an app, while the system loads them.
@MainActor
final class BackgroundDeliveryTests {
    private let stage = BackgroundStage()
    private let store = ScriptedStore(products: ["gold", "silver"].map { ScriptedStore.Product(id: $0, price: "1 €") })
    private let transports = BackgroundTransports()
    /// Pauses take no time. Time limits don't end.
    private let clock = TestClock(skippingUpTo: 20)
    private let (gold, silver) = (Data.gold, Data.sample(1_000, seed: 1))
    private var delivered: [Delivery] = []
    private var problems: [UnlocksProblem] = []
    private var unlocks: UnlockCenter?
    private var launches = 0

    private var system: SimulatedSystem { stage.system }

    private func catalog(revision: Int = 1, _ files: [(String, Data)]? = nil) throws -> ShopCatalog {
        func list(_ files: [(String, Data)]) -> String {
            files.map { CatalogItem.File.json($0, $1) }.joined(separator: ",")
        }
        let items = #"""
            {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"],"files":[\#(list(files ?? [("gold", gold)]))]},
            {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"],"files":[\#(list([("silver", silver)]))]}
            """#
        return try ShopCatalog(json: Data(#"{"format":1,"revision":\#(revision),"items":[\#(items)]}"#.utf8))
    }

    /// Ends the app. The system's tasks go on.
    private func end() async throws {
        system.endApp()
        weak let ended = unlocks
        unlocks = nil
        await until { ended == nil }
    }

    /// Launches the app.
    @discardableResult
    private func launch(_ catalog: ShopCatalog? = nil) async throws -> UnlockCenter {
        if unlocks != nil { try await end() }
        launches += 1
        let transport = transports.transport("\(launches)") { BackgroundTransport(system.session()) }
        let new = UnlockCenter(
            store: store,
            catalog: try catalog ?? self.catalog(),
            folder: stage.root.url,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: clock.clock,
            downloads: ContentDownloads(transport, freeSpace: { _ in nil })
        ) { [weak self] delivery in self?.delivered.append(delivery) }
        new.onProblem = { [weak self] in self?.problems.append($0) }
        new.start()
        unlocks = new
        await until { new.state(of: "gold") != .unknown(.notOpened) && new.products != nil }
        return new
    }

    private func buy(_ item: ItemID) async throws {
        let unlocks = try #require(unlocks)
        await until { unlocks.offers.contains { $0.item.id == item && $0.state == .forSale(price: "1 €") } }
        #expect(try await unlocks.buy(item) == .bought)
    }

    private func contents(_ path: String) -> Data? {
        delivered.last.flatMap { try? Data(contentsOf: $0.folder.appending(path: path)) }
    }

    /// The folders beside those of content, for files that are being loaded.
    private var loadingFolders: [String] {
        let content = stage.root.url.appending(path: "content").path()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: content)) ?? []
        return names.filter { $0.hasSuffix(ContentFolder.suffix) }
    }

    @Test("a purchase whose files come after the app has ended is delivered at the launch for it")
    func launchInBackground() async throws {
        try await launch()
        try await buy("gold-pack")
        await until { system.underway.count == 1 }
        try await end()
        system.finish("gold", gold)
        let unlocks = try await launch()
        var isHandled = false
        #expect(transports.handleEvents(of: "2") { isHandled = true })
        system.finishEvents()
        await until { isHandled }
        await until { unlocks.state(of: "gold").isUnlocked }
        #expect(contents("gold") == gold)
        #expect(delivered.count == 1)
        #expect(system.started.count == 1)
        #expect(problems.isEmpty)
    }

    @Test("an app that ends and is launched again and again waits for the same task")
    func launches() async throws {
        try await launch()
        try await buy("gold-pack")
        await until { system.underway.count == 1 }
        for received in [1_000, 2_000, 3_000] {
            try await launch()
            await until { unlocks?.progress(of: "gold-pack") != nil }
            await system.settle()
            system.progress("gold", received)
        }
        system.finish("gold", gold)
        await until { unlocks?.state(of: "gold").isUnlocked == true }
        #expect(system.started.count == 1)
        #expect(system.cancelled.isEmpty)
    }

    @Test("the files of two purchases are loaded at once, and each is delivered at the launch after its own have come")
    func twoItems() async throws {
        try await launch()
        try await buy("gold-pack")
        try await buy("silver-pack")
        await until { system.underway.count == 2 }
        for (path, body) in [("gold", gold), ("silver", silver)] {
            try await end()
            system.finish(path, body)
            try await launch()
            await until { unlocks?.state(of: UnlockID(path)).isUnlocked == true }
        }
        for unlock in ["gold", "silver"] as [UnlockID] {
            await until { unlocks?.state(of: unlock).isUnlocked == true }
        }
        #expect(delivered.count == 2)
        #expect(system.started.count == 2)
    }

    @Test(
        "a refund cancels the task, also one of an earlier launch, and the folder stays away",
        arguments: [true, false]
    )
    func refund(isNewLaunch: Bool) async throws {
        try await launch()
        try await buy("gold-pack")
        await until { system.underway.count == 1 }
        system.progress("gold", 30_000)
        await system.settle()
        if isNewLaunch { try await end() }
        store.refund("1")
        if isNewLaunch { try await launch() }
        await until { system.underway.isEmpty && loadingFolders.isEmpty }
        await system.settle()
        #expect(loadingFolders.isEmpty)
        #expect(system.cancelled == [1])
        #expect(unlocks?.state(of: "gold") == .locked)
    }

    @Test("a refunded file that comes anyway makes no folder")
    func lateFile() async throws {
        try await launch()
        try await buy("gold-pack")
        await until { system.underway.count == 1 }
        system.suspendApp()
        system.finish("gold", gold)
        store.refund("1")
        await until { loadingFolders.isEmpty }
        system.resumeApp()
        await system.settle()
        #expect(loadingFolders.isEmpty)
        #expect(delivered.isEmpty)
    }

    @Test("a new catalog cancels what it doesn't name, and continues what it does", arguments: [true, false])
    func changedCatalog(isNewLaunch: Bool) async throws {
        let new = Data.sample(2_000, seed: 2)
        try await launch(catalog([("gold", gold), ("old", silver)]))
        try await buy("gold-pack")
        await until { system.underway.count == 2 }
        system.progress("gold", 30_000)
        await system.settle()
        let changed = try catalog(revision: 2, [("gold", gold), ("new", new)])
        if isNewLaunch { try await launch(changed) } else { await unlocks?.use(changed) }
        await until { Set(system.underway.map { $0.request.path() }) == ["/gold", "/new"] }
        system.finish("gold", gold, status: isNewLaunch ? 200 : 206)
        system.finish("new", new)
        await until { self.unlocks?.state(of: "gold").isUnlocked == true }
        #expect(contents("gold") == gold)
        #expect(contents("new") == new)
        #expect(contents("old") == nil)
        let gold = system.started.filter { $0.request.path() == "/gold" }
        #expect(gold.map(\.resumeData) == (isNewLaunch ? [nil] : [nil, Data("resume 30000".utf8)]))
    }

    @Test("a reset cancels the task, and loads everything again")
    func reset() async throws {
        let unlocks = try await launch()
        try await buy("gold-pack")
        await until { system.underway.count == 1 }
        system.progress("gold", 30_000)
        await system.settle()
        try await unlocks.reset()
        await until { system.started.count == 2 && system.underway.count == 1 }
        #expect(system.started.last?.resumeData == nil)
        system.finish("gold", gold)
        await until { unlocks.state(of: "gold").isUnlocked }
        #expect(contents("gold") == gold)
    }

    @Test("a failure is reported, and tried again after a pause with the system's data")
    func failure() async throws {
        let unlocks = try await launch()
        try await buy("gold-pack")
        await until { system.underway.count == 1 }
        system.fail("gold", .timedOut, resumeData: Data("resume 5".utf8))
        await until { system.started.count == 2 }
        #expect(system.started.last?.resumeData == Data("resume 5".utf8))
        system.finish("gold", gold, status: 206)
        await until { unlocks.state(of: "gold").isUnlocked }
        guard case .notDownloaded(item: "gold-pack", path: "gold", .timedOut, retryAfter: 1)? = problems.first else {
            return _ = Issue.record("\(problems)")
        }
        #expect(problems.count == 1)
    }
}
