import Foundation
import ReferralBridge
import ReferralSigning
import SimulatedRuntime
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

/// Which catalogs are newer than others.
@MainActor
struct CatalogRevisionTests {
    typealias LoadError = CatalogLoader.LoadError

    /// A source that sends what a test says, and compares tags as a server does.
    private final class Shelf: CatalogSource, @unchecked Sendable {
        let name: String
        var body = Data()
        var tag: String?
        var signatureText = Data()

        init(_ name: String = "shelf") { self.name = name }

        func catalog(unless tag: String?) async throws(DownloadError) -> CatalogAnswer {
            tag != nil && tag == self.tag ? .unchanged() : .catalog(body, tag: self.tag)
        }

        func signature() async throws(DownloadError) -> Data { signatureText }
    }

    /// The file of the catalog, and the folder of the unlocks.
    private final class Disk {
        private let place = TemporaryFolder("revisions")
        var cache: URL { place.url.appending(path: "catalog") }
        var folder: URL { place.url.appending(path: "unlocks") }

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

        func purge() throws { try FileManager.default.removeItem(at: cache) }
    }

    private let disk: Disk
    private let shelf = Shelf()
    /// Time limits don't end.
    private let clock = TestClock()

    init() throws { disk = try Disk() }

    private static func json(_ revision: Int, title: String? = nil) -> Data {
        let item = title.map { title in
            #"{"id":"a","product":"p","kind":"nonConsumable","grants":["g"],"text":{"en":{"title":"\#(title)"}}}"#
        }
        return Data(#"{"format":1,"revision":\#(revision),"items":[\#(item ?? "")]}"#.utf8)
    }

    /// A new launch of an app with an old copy.
    private func launch(_ copy: Data = json(1), from source: Shelf? = nil, key: PrivateKey? = nil) throws
        -> CatalogLoader
    {
        try CatalogLoader(
            bundledCatalog: copy,
            file: disk.cache,
            source: source ?? shelf,
            publicKey: key?.publicKey,
            verifier: makeVerifier()
        )
    }

    @Test("a lower revision is refused")
    func lower() async throws {
        let loader = try launch(Self.json(5))
        shelf.body = Self.json(4)
        await #expect(throws: LoadError.revision(4, inHand: 5)) { try await loader.refresh() }
        #expect(loader.current.revision == 5)
    }

    @Test("a revision that leaps is refused, and milliseconds aren't a leap")
    func leap() async throws {
        let (largest, now) = (1 << 41, 1_795_224_750_690)
        let loader = try launch(Self.json(5))
        for revision in [5 + largest + 1, 1 << 53 - 1] {
            shelf.body = Self.json(revision)
            await #expect(throws: LoadError.revision(revision, inHand: 5)) { try await loader.refresh() }
        }
        shelf.body = Self.json(now)
        #expect(try await loader.refresh()?.revision == now)
        shelf.body = Self.json(now + largest)
        #expect(try await loader.refresh()?.revision == now + largest)
    }

    @Test("the same revision with other content is refused, and one that says the same in other bytes isn't")
    func same() async throws {
        shelf.body = Self.json(5, title: "Gold bords")
        let loader = try launch()
        #expect(try await loader.refresh()?.items.count == 1)
        shelf.body = Self.json(5, title: "Gold boards")
        await #expect(throws: LoadError.revision(5, inHand: 5)) { try await loader.refresh() }
        #expect(loader.current.items.first?.text.text(for: ["en"])?.title == "Gold bords")
        shelf.body = Self.json(5, title: "Gold bords") + Data("\n".utf8)
        (shelf.tag, shelf.body) = ("a", shelf.body)
        #expect(try await loader.refresh() == nil)
        #expect(loader.fileError == nil)
        shelf.body = Data("unread".utf8)
        #expect(try await loader.refresh() == nil, "its tag is sent from then on")
        (shelf.tag, shelf.body) = ("b", Self.json(6, title: "Gold boards"))
        #expect(try await loader.refresh()?.items.first?.text.text(for: ["en"])?.title == "Gold boards")
        // The same goes for the app's copy.
        try disk.purge()
        let copied = try launch(Self.json(6, title: "Gold"))
        await #expect(throws: LoadError.revision(6, inHand: 6)) { try await copied.refresh() }
    }

    @Test("a title of combining marks is compared as fast as any other")
    func combiningMarks() throws {
        try expectLinear(32 << 10) { count in
            try JobQueue.runToEnd { [self] in
                // Marks of two combining classes in turn. Swift's own comparison sorts them all.
                let marks = String(repeating: "\u{301}\u{323}", count: count)
                try? disk.purge()
                shelf.body = Self.json(5, title: "a" + marks)
                let loader = try launch()
                #expect(try await loader.refresh()?.items.count == 1)
                #expect(try await loader.refresh() == nil)
                shelf.body = Self.json(5, title: "b" + marks)
                await #expect(throws: LoadError.revision(5, inHand: 5)) { try await loader.refresh() }
            }
        }
    }

    private var aside: URL { disk.folder.appending(path: "aside") }

    /// Puts a folder in the place of the file, which can't be read then.
    private func hideFile() throws {
        try FileManager.default.moveItem(at: disk.cache, to: aside)
        try FileManager.default.createDirectory(at: disk.cache, withIntermediateDirectories: false)
    }

    private func showFile() throws {
        try FileManager.default.removeItem(at: disk.cache)
        try FileManager.default.moveItem(at: aside, to: disk.cache)
    }

    @Test("a catalog's file that can't be read now, as on a locked device, is read later")
    func unreadableCatalog() async throws {
        shelf.body = Self.json(7)
        #expect(try await launch().refresh()?.revision == 7)
        try hideFile()
        let loader = try launch()
        await loader.load()
        #expect(loader.current.revision == 1)
        if case .file? = loader.fileError {} else { Issue.record("\(loader.fileError.debugDescription)") }
        try showFile()
        await loader.load()
        #expect(loader.current.revision == 7)
        #expect(loader.fileError == nil)
    }

    @Test("unlocks use a catalog whose file couldn't be read when they were started", arguments: [true, false])
    func unreadableAtStart(isReadByApp: Bool) async throws {
        (shelf.body, shelf.tag) = (Self.json(7), "a")
        #expect(try await launch().refresh()?.revision == 7)
        try hideFile()
        let loader = try launch()
        await loader.load()
        let context = ShopContext(appVersion: "1", platform: .iOS, languages: [])
        let unlocks = UnlockCenter(
            store: ScriptedStore(products: []),
            catalog: loader.current,
            loader: loader,
            folder: disk.folder,
            context: context,
            clock: clock.clock
        )
        try showFile()
        if isReadByApp { await loader.load() }
        await unlocks.refresh()
        #expect(unlocks.catalog.revision == 7)
    }
}
