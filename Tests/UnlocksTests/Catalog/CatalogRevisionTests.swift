import Foundation
import ReferralBridge
import ReferralSigning
import SimulatedRuntime
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

/// Which catalogs are newer than others, also once the system has purged the caches.
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

    /// The caches, which the system may purge, and the folder of the unlocks, which it doesn't.
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
        let loader = try CatalogLoader(
            bundledCatalog: copy,
            file: disk.cache,
            source: source ?? shelf,
            publicKey: key?.publicKey,
            verifier: makeVerifier()
        )
        loader.rememberRevision(in: disk.folder.appending(path: "revision"))
        return loader
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

    @Test(
        "a newer copy in the app starts the count anew, whether or not the caches were purged",
        arguments: [true, false]
    )
    func newerCopy(isPurged: Bool) async throws {
        shelf.body = Self.json(1_000_000)
        #expect(try await launch(Self.json(1)).refresh()?.revision == 1_000_000)
        shelf.body = Self.json(9)
        for copy in [1, 0] {
            let same = try launch(Self.json(copy))
            await #expect(throws: LoadError.revision(9, inHand: 1_000_000)) { try await same.refresh() }
        }
        if isPurged { try disk.purge() }
        let loader = try launch(Self.json(8))
        await loader.load()
        #expect(
            loader.current.revision == (isPurged ? 8 : 1_000_000),
            "until the source has answered, the newest counts"
        )
        shelf.body = Self.json(7)
        await #expect(throws: LoadError.revision(7, inHand: 8)) { try await loader.refresh() }
        shelf.body = Self.json(9)
        #expect(try await loader.refresh()?.revision == 9)
        #expect(loader.fileError == nil)
        shelf.body = Self.json(8)
        for _ in 0..<2 {
            let next = try launch(Self.json(8))
            await #expect(throws: LoadError.revision(8, inHand: 9)) { try await next.refresh() }
            #expect(
                next.current.revision == (isPurged && !FileManager.default.fileExists(atPath: disk.cache.path) ? 8 : 9)
            )
        }
    }

    @Test("once the source has confirmed its catalog to an app with a newer copy, an older one is refused as before")
    func confirmedSinceNewerCopy() async throws {
        (shelf.body, shelf.tag) = (Self.json(100), "a")
        #expect(try await launch(Self.json(1)).refresh()?.revision == 100)
        #expect(try await launch(Self.json(8)).refresh() == nil)
        let body = shelf.body
        shelf.body = Data("unread".utf8)
        #expect(try await launch(Self.json(8)).refresh() == nil, "its tag is sent again")
        (shelf.body, shelf.tag) = (Self.json(50), "b")
        let loader = try launch(Self.json(8))
        await #expect(throws: LoadError.revision(50, inHand: 100)) { try await loader.refresh() }
        shelf.body = body
        #expect(try await loader.refresh() == nil)
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

    @Test("a signed catalog that is older than one before doesn't count after the caches were purged")
    func purged() async throws {
        let key = try PrivateKey.random()
        func publish(_ revision: Int) throws {
            shelf.body = Self.json(revision)
            shelf.signatureText = Data(try key.signature(for: shelf.body).base64EncodedString().utf8)
        }
        try publish(7)
        #expect(try await launch(key: key).refresh()?.revision == 7)
        try disk.purge()
        try publish(6)
        for _ in 0..<2 {
            let loader = try launch(key: key)
            await #expect(throws: LoadError.revision(6, inHand: 7)) { try await loader.refresh() }
            #expect(loader.current.revision == 1, "the app's copy is the last good one")
        }
        try publish(7)
        #expect(try await launch(key: key).refresh()?.revision == 7)
    }

    @Test("the revision of a file that is there already is remembered once the source has confirmed it")
    func confirmed() async throws {
        (shelf.body, shelf.tag) = (Self.json(7), "a")
        let old = try CatalogLoader(bundledCatalog: Self.json(1), file: disk.cache, source: shelf)
        #expect(try await old.refresh()?.revision == 7)
        #expect(try await launch().refresh() == nil)
        try disk.purge()
        (shelf.body, shelf.tag) = (Self.json(6), "b")
        let loader = try launch()
        await #expect(throws: LoadError.revision(6, inHand: 7)) { try await loader.refresh() }
    }

    @Test("another source counts its revisions in its own way")
    func otherSource() async throws {
        shelf.body = Self.json(7)
        #expect(try await launch().refresh()?.revision == 7)
        try disk.purge()
        let other = Shelf("other")
        other.body = Self.json(3)
        #expect(try await launch(from: other).refresh()?.revision == 3)
    }

    @Test("a remembered revision that is damaged is forgotten, and one that can't be read now is asked for later")
    func unreadable() async throws {
        let file = disk.folder.appending(path: "revision")
        try Data("garbage".utf8).write(to: file)
        shelf.body = Self.json(7)
        #expect(try await launch().refresh()?.revision == 7)
        try disk.purge()

        // A folder in its place can't be read, as a file on a locked device can't.
        let aside = disk.folder.appending(path: "aside")
        try FileManager.default.moveItem(at: file, to: aside)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let loader = try launch()
        (shelf.body, shelf.tag) = (Self.json(5), "a")
        #expect(try await loader.refresh()?.revision == 5)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: aside, to: file)
        await #expect(throws: LoadError.revision(5, inHand: 7)) { try await loader.refresh() }
        let relaunched = try launch()
        await relaunched.load()
        #expect(relaunched.current.revision == 5)
        let error = LoadError.revision(5, inHand: 7)
        await #expect(throws: error, "its tag isn't sent any more") { try await relaunched.refresh() }
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

    @Test("what can't be remembered is told, and tried again")
    func unwritable() async throws {
        let loader = try launch()
        let folder = disk.folder.appending(path: "later")
        loader.rememberRevision(in: folder.appending(path: "revision"))
        (shelf.body, shelf.tag) = (Self.json(7), "a")
        #expect(try await loader.refresh()?.revision == 7)
        if case .file? = loader.fileError {} else { Issue.record("\(loader.fileError.debugDescription)") }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(try await loader.refresh() == nil)
        #expect(loader.fileError == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["revision"])
    }

    @Test("unlocks with a folder remember the revision in it")
    func unlocks() async throws {
        shelf.body = Self.json(7)
        func makeUnlocks() throws -> (UnlockCenter, CatalogLoader) {
            let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: disk.cache, source: shelf)
            let context = ShopContext(appVersion: "1", platform: .iOS, languages: [])
            let store = ScriptedStore(products: [])
            let unlocks = UnlockCenter(
                store: store,
                catalog: loader.current,
                loader: loader,
                folder: disk.folder,
                context: context,
                clock: clock.clock
            )
            return (unlocks, loader)
        }
        do {
            let (unlocks, _) = try makeUnlocks()
            await unlocks.refresh()
            #expect(unlocks.catalog.revision == 7)
        }
        try disk.purge()
        shelf.body = Self.json(6)
        let (unlocks, loader) = try makeUnlocks()
        await unlocks.refresh()
        #expect(unlocks.catalog.revision == 1)
        await #expect(throws: LoadError.revision(6, inHand: 7)) { try await loader.refresh() }
    }
}
