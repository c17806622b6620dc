import Foundation
import ReferralBridge
import ReferralSigning
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

/// Which of several catalogs counts: those of the app, of the file and of a source.
@MainActor
struct CatalogLoaderTests {
    private typealias LoadError = CatalogLoader.LoadError

    /// A source that sends what a test says.
    private final class Shelf: CatalogSource, @unchecked Sendable {
        var body = CatalogLoaderTests.json(7)
        var date: Date?
        var signatureText: Data?
        private(set) var signatureRequests = 0

        func catalog() async throws(DownloadError) -> (body: Data, date: Date?) { (body, date) }

        func signature() async throws(DownloadError) -> Data {
            signatureRequests += 1
            guard let signatureText else { throw .status(404) }
            return signatureText
        }

        func sign(with key: PrivateKey) throws {
            signatureText = Data(try key.signature(for: body).base64EncodedString().utf8)
        }
    }

    private let shelf = Shelf()
    private let place = TemporaryFolder("loader")
    private var file: URL { place.url.appending(path: "catalog") }

    init() throws { try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true) }

    private nonisolated static func json(_ revision: Int, title: String? = nil) -> Data {
        let item = title.map { title in
            #"{"id":"a","product":"p","kind":"nonConsumable","grants":["g"],"text":{"en":{"title":"\#(title)"}}}"#
        }
        return Data(#"{"format":1,"revision":\#(revision),"items":[\#(item ?? "")]}"#.utf8)
    }

    /// A new launch of an app with an old copy.
    private func loader(
        _ copy: Data = json(1),
        key: PrivateKey? = nil,
        verifier: (any SignatureVerifier)? = nil
    ) async throws -> CatalogLoader {
        let loader = try CatalogLoader(
            bundledCatalog: copy,
            file: file,
            source: shelf,
            publicKey: key?.publicKey,
            verifier: verifier ?? makeVerifier()
        )
        await loader.load()
        return loader
    }

    /// Nothing that is refused changes the current catalog or its file.
    private func expectRefused(_ loader: CatalogLoader, _ place: SourceLocation = #_sourceLocation) async {
        let (catalog, bytes) = (loader.current, try? Data(contentsOf: file))
        await #expect(sourceLocation: place) {
            try await loader.refresh()
        } throws: { error in
            if case .refused? = error as? LoadError { true } else { false }
        }
        #expect(loader.current == catalog, sourceLocation: place)
        #expect((try? Data(contentsOf: file)) == bytes, sourceLocation: place)
    }

    // MARK: Revisions

    @Test("a new catalog counts at once and at the next launch, and is new once")
    func new() async throws {
        let loader = try await loader()
        #expect(loader.current.revision == 1)
        #expect(try await loader.refresh()?.revision == 7)
        #expect(try await loader.refresh() == nil)
        let relaunched = try await self.loader()
        #expect(relaunched.current.revision == 7)
        #expect(try await relaunched.refresh() == nil)
        shelf.body = Self.json(8)
        #expect(try await relaunched.refresh()?.revision == 8)
        #expect(try await self.loader().current.revision == 8)
    }

    @Test("of the app's copy and the file the higher revision counts, and on a tie the file", arguments: 6...8)
    func higher(appRevision: Int) async throws {
        shelf.body = Self.json(7, title: "Gold")
        _ = try await loader().refresh()
        let loader = try await loader(Self.json(appRevision))
        #expect(loader.current.revision == max(7, appRevision))
        #expect(loader.current.items.isEmpty == (appRevision > 7))
    }

    @Test("what isn't a catalog, or has a lower revision, is refused")
    func refused() async throws {
        let loader = try await loader(Self.json(5))
        for body in [Data("<html>".utf8), Data(), Data([0xFF]), Data(#"{"format":2}"#.utf8), Self.json(4)] {
            shelf.body = body
            await expectRefused(loader)
        }
    }

    @Test("the same revision with other content is refused, and one that says the same in other bytes isn't")
    func same() async throws {
        shelf.body = Self.json(5, title: "Gold bords")
        let loader = try await loader()
        #expect(try await loader.refresh()?.items.count == 1)
        shelf.body = Self.json(5, title: "Gold boards")
        await expectRefused(loader)
        shelf.body = Self.json(5, title: "Gold bords") + Data("\n".utf8)
        #expect(try await loader.refresh() == nil)
        // The same goes for the app's copy.
        try FileManager.default.removeItem(at: file)
        await expectRefused(try await self.loader(Self.json(5, title: "Gold")))
    }

    @Test("a catalog counts after it is stale, and says so")
    func stale() async throws {
        shelf.body = Data(#"{"format":1,"revision":2,"items":[],"staleAfter":"2026-12-21T00:00:00Z"}"#.utf8)
        let loader = try await loader()
        #expect(!loader.current.isStale(at: .distantFuture), "without a time it is never stale")
        _ = try await loader.refresh()
        let end = try #require(loader.current.staleAfter)
        #expect(!loader.current.isStale(at: end))
        #expect(loader.current.isStale(at: end + 0.001))
        #expect(try await self.loader().current.revision == 2)
    }

    @Test("a date that was seen before is a cache's, at a later launch too, and says nothing about the time")
    func dates() async throws {
        let (first, second) = (Date(timeIntervalSince1970: 1_000), Date(timeIntervalSince1970: 2_000))
        shelf.date = first
        let loader = try await loader()
        _ = try await loader.refresh()
        #expect(loader.answerDate == first)
        _ = try await loader.refresh()
        #expect(loader.answerDate == nil)
        let relaunched = try await self.loader()
        _ = try await relaunched.refresh()
        #expect(relaunched.answerDate == nil)
        shelf.date = second
        _ = try await relaunched.refresh()
        #expect(relaunched.answerDate == second)
    }

    /// A source whose answers a test gives, in an order of its own.
    private struct Hand: CatalogSource {
        let questions = AsyncStream.makeStream(of: CheckedContinuation<Data, Never>.self)

        func catalog() async throws(DownloadError) -> (body: Data, date: Date?) {
            (await withCheckedContinuation { questions.continuation.yield($0) }, nil)
        }

        func signature() async throws(DownloadError) -> Data { throw .status(404) }
    }

    @Test("of two refreshes at once, a late answer with a lower revision doesn't replace a newer one")
    func lateAnswer() async throws {
        let hand = Hand()
        var questions = hand.questions.stream.makeAsyncIterator()
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: hand)
        let first = Task { await #expect(throws: LoadError.self) { try await loader.refresh() } }
        let firstQuestion = try #require(await questions.next())
        let second = Task { try await loader.refresh() }
        try #require(await questions.next()).resume(returning: Self.json(5))
        #expect(try await second.value?.revision == 5)
        firstQuestion.resume(returning: Self.json(3))
        _ = await first.value
        #expect(loader.current.revision == 5)
    }

    // MARK: The file

    @Test("a broken file falls back to the app's copy, and the next catalog replaces it")
    func brokenFile() async throws {
        _ = try await loader().refresh()
        let good = try Data(contentsOf: file)
        for bytes in [Data(), good.dropLast(), good.prefix(good.count / 2), Data(repeating: 0, count: 99)] {
            try bytes.write(to: file)
            let loader = try await loader()
            #expect(loader.current.revision == 1)
            #expect(try await loader.refresh()?.revision == 7)
            #expect(try await self.loader().current.revision == 7)
        }
    }

    @Test("unlocks use a catalog whose file couldn't be read when they were started", arguments: [true, false])
    func unreadableAtStart(isReadByApp: Bool) async throws {
        #expect(try await loader().refresh()?.revision == 7)
        // A folder in the place of the file, as if the device were locked.
        let aside = place.url.appending(path: "aside")
        try FileManager.default.moveItem(at: file, to: aside)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let loader = try await loader()
        #expect(loader.current.revision == 1)
        let unlocks = UnlockCenter(
            store: ScriptedStore(products: []),
            catalog: loader.current,
            loader: loader,
            folder: place.url.appending(path: "unlocks"),
            context: ShopContext(appVersion: "1", platform: .iOS, languages: []),
            clock: TestClock().clock
        )
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: aside, to: file)
        if isReadByApp { await loader.load() }
        await unlocks.refresh()
        #expect(unlocks.catalog.revision == 7)
    }

    // MARK: Signatures

    @Test("a catalog that the key's owner signed counts, at the next launch too, and is asked about once")
    func signed() async throws {
        let key = try PrivateKey.random()
        let loader = try await loader(key: key)
        await #expect(throws: LoadError.download(.status(404))) { try await loader.refresh() }
        try shelf.sign(with: key)
        #expect(try await loader.refresh()?.revision == 7)
        #expect(try await loader.refresh() == nil)
        #expect(shelf.signatureRequests == 2)
        #expect(try await self.loader(key: key).current.revision == 7)
        #expect(try await self.loader(key: .random()).current.revision == 1, "the file counts only with its key")
    }

    @Test("a signature of another key or for other bytes is refused, and without a key nobody asks for one")
    func wronglySigned() async throws {
        let key = try PrivateKey.random()
        let loader = try await loader(key: key)
        try shelf.sign(with: .random())
        await expectRefused(loader)
        try shelf.sign(with: key)
        shelf.body += Data([0x20])
        await expectRefused(loader)
        let requests = shelf.signatureRequests
        #expect(try await self.loader().refresh()?.revision == 7)
        #expect(shelf.signatureRequests == requests)
    }

    @Test("a signature is 64 bytes in base64, in one line or in several; a verifier isn't asked about others")
    func signatureForm() async throws {
        struct Credulous: SignatureVerifier {
            func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool { true }
        }
        let key = try PrivateKey.random()
        let (loader, credulous) = (try await loader(key: key), try await loader(key: key, verifier: Credulous()))
        let signature = try key.signature(for: shelf.body)
        let good = signature.base64EncodedString()
        let middle = good.index(good.startIndex, offsetBy: 44)
        for text in [
            "", "?", String(good.dropLast(2)), good + "AAAA", good[..<middle] + "-" + good[middle...],
            signature.prefix(63).base64EncodedString(), (signature + [0]).base64EncodedString(),
        ] {
            shelf.signatureText = Data(text.utf8)
            await expectRefused(credulous)
        }
        shelf.signatureText = Data(" \r\n\(good[..<middle])\r\n\(good[middle...])\n".utf8)
        #expect(try await loader.refresh()?.revision == 7)
    }
}
