import Foundation
import ReferralBridge
import ReferralSigning
import TestSupport
import Testing
import Unlocks

/// The loader and the web's source, against a server that answers over a real connection.
@MainActor
struct CatalogLoaderTests {
    typealias LoadError = CatalogLoader.LoadError

    let server: CatalogServer
    let source: URLCatalogSource
    private let place = TemporaryFolder("loader")
    var folder: URL { place.url }
    var file: URL { folder.appending(path: "catalog") }

    init() throws {
        server = try CatalogServer()
        source = try #require(URLCatalogSource(server.address))
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
    }

    static func json(_ revision: Int, _ rest: String = "") -> Data {
        Data(#"{"format":1,"revision":\#(revision),"items":[]\#(rest)}"#.utf8)
    }

    func loader(_ revision: Int = 1, key: PrivateKey? = nil) async throws -> CatalogLoader {
        let loader = try CatalogLoader(
            bundledCatalog: Self.json(revision),
            file: file,
            source: source,
            publicKey: key?.publicKey,
            verifier: makeVerifier()
        )
        await loader.load()
        return loader
    }

    func sign(_ body: Data, with key: PrivateKey) async throws {
        let text = try key.signature(for: body).base64EncodedString()
        try await server.answer(Data(text.utf8), at: source.signatureAddress)
    }

    /// Nothing that is refused changes the catalog in hand or its file.
    func expectRefused(
        _ loader: CatalogLoader,
        _ matches: (LoadError) -> Bool,
        _ place: SourceLocation = #_sourceLocation
    ) async {
        let (catalog, bytes) = (loader.current, try? Data(contentsOf: file))
        do {
            let new = try await loader.refresh()
            Issue.record("not refused, but \(new.debugDescription)", sourceLocation: place)
        } catch {
            #expect(matches(error), "\(error)", sourceLocation: place)
        }
        #expect(loader.current == catalog, sourceLocation: place)
        #expect((try? Data(contentsOf: file)) == bytes, sourceLocation: place)
    }

    func expectRefused(
        _ loader: CatalogLoader,
        _ error: LoadError,
        _ place: SourceLocation = #_sourceLocation
    ) async {
        await expectRefused(loader, { $0 == error }, place)
    }

    // MARK: Loading

    @Test("a new catalog counts at once and at the next launch, and its tag is sent from then on")
    func new() async throws {
        try await server.answer(Self.json(7), headers: ["ETag": #"W/"a""#])
        let loader = try await loader()
        #expect(loader.current.revision == 1)
        #expect(try await loader.refresh()?.revision == 7)
        #expect(loader.current.revision == 7)
        #expect(loader.fileError == nil)
        #expect(try await loader.refresh() == nil)

        let relaunched = try await self.loader()
        #expect(relaunched.current.revision == 7)
        #expect(try await relaunched.refresh() == nil)
        #expect(try await server.requests().map { $0["If-None-Match"] } == [nil, #"W/"a""#, #"W/"a""#])

        try await server.answer(Self.json(8), headers: ["ETag": #""b""#])
        #expect(try await relaunched.refresh()?.revision == 8)
        #expect(try await self.loader().current.revision == 8)
    }

    @Test("the same catalog without a tag is nothing new")
    func same() async throws {
        try await server.answer(Self.json(7))
        let loader = try await loader()
        #expect(try await loader.refresh()?.revision == 7)
        #expect(try await loader.refresh() == nil)
        #expect(try await server.requests().allSatisfy { $0["If-None-Match"] == nil })
    }

    @Test("of the app's copy and the file the higher revision counts, and on a tie the file", arguments: 6...8)
    func higher(appRevision: Int) async throws {
        try await server.answer(Self.json(7, #","issued":"2026-11-21T00:00:00Z""#), headers: ["ETag": "a"])
        _ = try await loader().refresh()
        let loader = try await loader(appRevision)
        #expect(loader.current.revision == max(7, appRevision))
        #expect((loader.current.issued != nil) == (appRevision <= 7))
        // The tag belongs to the file. With another catalog in hand, "unchanged" would say nothing.
        for _ in 0..<2 { _ = try? await loader.refresh() }
        let tags = try await server.requests().suffix(2).map { $0["If-None-Match"] }
        #expect(tags == (appRevision <= 7 ? ["a", "a"] : [nil, nil]))
    }

    @Test("a tag isn't sent to another address, where it may mean something else")
    func otherAddress() async throws {
        try await server.answer(Self.json(7), headers: ["ETag": "1"])
        _ = try await loader().refresh()
        let other = try CatalogServer()
        try await other.answer(Self.json(8), headers: ["ETag": "1"])
        let otherSource = try #require(URLCatalogSource(other.address))
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: otherSource)
        #expect(loader.current.revision == 1, "the file isn't read on the main actor")
        await loader.load()
        #expect(loader.current.revision == 7)
        #expect(try await loader.refresh()?.revision == 8)
    }

    @Test("a catalog counts after it is stale, and says so")
    func stale() async throws {
        try await server.answer(Self.json(2, #","staleAfter":"2026-12-21T00:00:00Z""#))
        let loader = try await loader()
        #expect(!loader.current.isStale(at: .distantFuture), "without a time it is never stale")
        _ = try await loader.refresh()
        let end = try #require(loader.current.staleAfter)
        #expect(!loader.current.isStale(at: end))
        #expect(loader.current.isStale(at: end + 0.001))
        #expect(try await self.loader().current.revision == 2)
    }

    // MARK: The app

    @Test("without what checks signatures there is no loader")
    func settings() throws {
        func error(
            _ copy: Data,
            _ key: PublicKey?,
            _ verifier: any SignatureVerifier = SystemVerifier()
        ) throws -> LoadError? {
            do {
                _ = try CatalogLoader(
                    bundledCatalog: copy,
                    file: file,
                    source: source,
                    publicKey: key,
                    verifier: verifier
                )
                return nil
            } catch {
                return error
            }
        }
        let key = try PrivateKey.random().publicKey
        #if canImport(CryptoKit)
        #expect(try error(Self.json(1), key) == nil)
        #else
        #expect(try error(Self.json(1), key) == .noVerifier)
        #endif
        #expect(try error(Self.json(1), key, makeVerifier()) == nil)
        #expect(try error(Data("{}".utf8), nil) == .bundledCatalog(.unknownFormat))
    }

    // MARK: The file

    @Test("a broken file falls back to the app's copy, and the next catalog replaces it")
    func brokenFile() async throws {
        try await server.answer(Self.json(7), headers: ["ETag": "a"])
        _ = try await loader().refresh()
        let good = try Data(contentsOf: file)
        for bytes in [Data(), good.dropLast(), good.prefix(good.count / 2), Data(repeating: 0, count: 99)] {
            try bytes.write(to: file)
            let loader = try await loader()
            #expect(loader.current.revision == 1)
            if case .file? = loader.fileError {} else { Issue.record("\(loader.fileError.debugDescription)") }
            #expect(try await loader.refresh()?.revision == 7)
            #expect(try await self.loader().current.revision == 7)
            #expect(loader.fileError == nil)
        }
        #expect(try await server.requests().allSatisfy { $0["If-None-Match"] == nil })
    }

    @Test("a catalog that can't be written counts until the app ends, and is written once that is possible")
    func unwritable() async throws {
        try await server.answer(Self.json(7), headers: ["ETag": "a"])
        let later = folder.appending(path: "later")
        let loader = try CatalogLoader(
            bundledCatalog: Self.json(1),
            file: later.appending(path: "file"),
            source: source
        )
        #expect(try await loader.refresh()?.revision == 7)
        if case .file? = loader.fileError {} else { Issue.record("\(loader.fileError.debugDescription)") }
        #expect(try await loader.refresh() == nil)
        #expect(loader.current.revision == 7)
        #expect(loader.fileError != nil)
        try FileManager.default.createDirectory(at: later, withIntermediateDirectories: true)
        #expect(try await loader.refresh() == nil)
        #expect(loader.fileError == nil)
        #expect(try Data(contentsOf: later.appending(path: "file")).count > 0)
    }

    @Test("the file is replaced and never changed, so a crash leaves the old one or the new one")
    func replaced() async throws {
        try await server.answer(Self.json(7))
        let loader = try await loader()
        _ = try await loader.refresh()
        // Another name for the same file, which shows what happens to its bytes.
        let (old, witness) = (try Data(contentsOf: file), folder.appending(path: "witness"))
        try FileManager.default.linkItem(at: file, to: witness)
        try await server.answer(Self.json(8))
        _ = try await loader.refresh()
        #expect(try Data(contentsOf: witness) == old)
        #expect(try Data(contentsOf: file) != old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 2, "nothing else is left")
    }

    // MARK: Other sources

    /// A source whose answers a test gives, in an order of its own.
    private struct Hand: CatalogSource {
        let name = "hand"
        let questions = AsyncStream.makeStream(of: CheckedContinuation<Data, Never>.self)

        func catalog(unless tag: String?) async throws(DownloadError) -> CatalogAnswer {
            .catalog(await withCheckedContinuation { questions.continuation.yield($0) }, tag: nil)
        }

        func signature() async throws(DownloadError) -> Data { throw .status(404) }
    }

    @Test("of two refreshes at once, a late answer with a lower revision doesn't replace a newer one")
    func lateAnswer() async throws {
        let hand = Hand()
        var questions = hand.questions.stream.makeAsyncIterator()
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: hand)
        let first = Task {
            await #expect(throws: LoadError.revision(3, inHand: 5)) { try await loader.refresh() }
            return
        }
        let firstQuestion = try #require(await questions.next())
        let second = Task { try await loader.refresh() }
        try #require(await questions.next()).resume(returning: Self.json(5))
        #expect(try await second.value?.revision == 5)
        firstQuestion.resume(returning: Self.json(3))
        await first.value
        #expect(loader.current.revision == 5)
    }

    @Test("each error has a sentence of its own")
    func sentences() {
        let errors: [LoadError] = [
            .bundledCatalog(.notUTF8), .noVerifier, .download(.cancelled), .download(.status(500)), .catalog(.notUTF8),
            .revision(1, inHand: 2), .revision(2, inHand: 2), .revision(3, inHand: 2), .wrongSignature,
            .file(reason: "x"),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.map(\.localizedDescription) == errors.map(\.description))
        #expect(
            LoadError.download(.status(500)).description
                == "The catalog or its signature can't be loaded. The server answered with status 500."
        )
        #expect(
            LoadError.catalog(.notUTF8).description == "The new catalog is refused. The catalog is not UTF-8."
        )
    }
}
