import Foundation
import ReferralBridge
import Signing
import Testing
import Unlocks

/// The loader and the web's source, against a server that answers over a real connection.
@MainActor
struct CatalogLoaderTests {
    typealias LoadError = CatalogLoader.LoadError

    let server: CatalogServer
    let source: URLCatalogSource
    private let place = TemporaryFolder()
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

    private func loader(_ revision: Int = 1, key: PrivateKey? = nil) async throws -> CatalogLoader {
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

    private func sign(_ body: Data, with key: PrivateKey) async throws {
        let text = try key.signature(for: body).base64EncodedString()
        try await server.answer(Data(text.utf8), at: source.signatureAddress)
    }

    /// Nothing that is refused changes the catalog in hand or its file.
    private func expectRefused(
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

    private func expectRefused(
        _ loader: CatalogLoader,
        _ error: LoadError,
        _ place: SourceLocation = #_sourceLocation
    ) async {
        await expectRefused(loader, { $0 == error }, place)
    }

    /// A folder that is deleted with the test.
    private final class TemporaryFolder {
        let url = FileManager.default.temporaryDirectory.appending(path: "loader-\(UUID().uuidString)")

        deinit { try? FileManager.default.removeItem(at: url) }
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
        _ = try? await loader.refresh()
        #expect(try await server.requests().last?["If-None-Match"] == (appRevision <= 7 ? "a" : nil))
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

    // MARK: The web

    @Test(
        "an answer that is no success is refused",
        arguments: [201, 204, 206, 304, 300, 302, 403, 404, 410, 500, 503]
    )
    func statuses(status: Int) async throws {
        try await server.answer(status == 204 || status == 304 ? Data() : Self.json(7), status: status)
        await expectRefused(try await loader(), .status(status))
    }

    @Test("a server that doesn't answer, or never ends, ends with the time limit", arguments: ["silent", "drip"])
    func slow(manner: String) async throws {
        try await server.answer(Self.json(7), try #require(.init(rawValue: manner)))
        let source = try #require(URLCatalogSource(server.address, timeLimit: 0.3))
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: source)
        await expectRefused(loader, .timedOut)
    }

    @Test("a server that isn't there can't be reached")
    func unreachable() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:1/catalog.json"))
        let source = try #require(URLCatalogSource(nobody))
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: source)
        await expectRefused(loader) { if case .unreachable = $0 { true } else { false } }
    }

    @Test("a catalog that was cut off, or has another length than the server said, is refused")
    func cutOff() async throws {
        let loader = try await loader()
        // Both halves are catalogs.
        let whole = Self.json(7)
        try await server.answer(whole + Data(repeating: 0x20, count: whole.count), .cut)
        await expectRefused(loader) { if case .unreachable = $0 { true } else { false } }
        try await server.answer(whole, headers: ["Content-Length": "\(whole.count + 1)"])
        await expectRefused(loader) { if case .unreachable = $0 { true } else { false } }
        try await server.answer(whole, headers: ["Content-Length": "\(whole.count - 1)"])
        await expectRefused(loader, .catalog(.notAnObject))
    }

    @Test("1 MiB is taken, and a byte more isn't")
    func size() async throws {
        func padded(_ revision: Int, to count: Int) -> Data {
            Self.json(revision) + Data(repeating: 0x20, count: count - Self.json(revision).count)
        }
        let loader = try await loader()
        try await server.answer(padded(7, to: Catalog.maximumLength))
        #expect(try await loader.refresh()?.revision == 7)
        for count in [Catalog.maximumLength + 1, 2 << 20] {
            try await server.answer(padded(8, to: count))
            await expectRefused(loader, .tooLarge)
        }
    }

    @Test("an answer without an end is given up at 1 MiB")
    func endless() async throws {
        try await server.answer(Data(), .endless)
        await expectRefused(try await loader(), .tooLarge)
    }

    @Test("an answer that says that it is too large isn't waited for")
    func announced() async throws {
        try await server.answer(headers: ["Content-Length": "\(Catalog.maximumLength + 1)"], .drip)
        await expectRefused(try await loader(), .tooLarge)
    }

    @Test("what isn't a catalog is refused")
    func garbage() async throws {
        let loader = try await loader()
        for (body, error) in [
            (Data("<html>".utf8), CatalogError.notAnObject), (Data(), .notAnObject), (Data([0xFF]), .notUTF8),
            (Data(#"{"format":2}"#.utf8), .unknownFormat),
        ] {
            try await server.answer(body)
            await expectRefused(loader, .catalog(error))
        }
    }

    @Test("no cookie is sent back, neither to a redirect's target nor with the next request")
    func cookies() async throws {
        let target = try #require(URL(string: server.address.absoluteString + "/target"))
        let cookie = ["Set-Cookie": "who=anna; Path=/"]
        try await server.answer(status: 302, headers: cookie.merging(["Location": target.path()]) { $1 })
        try await server.answer(Self.json(7), headers: cookie, at: target)
        let loader = try await loader()
        #expect(try await loader.refresh()?.revision == 7)
        #expect(try await loader.refresh() == nil)
        let requests = try await server.requests() + server.requests(at: target)
        #expect(requests.count == 4)
        #expect(requests.allSatisfy { $0["Cookie"] == nil })
    }

    @Test("five redirects are followed, and a sixth isn't", arguments: [5, 6])
    func redirects(count: Int) async throws {
        let addresses = try (0...count).map { try #require(URL(string: "\(server.address.absoluteString)?\($0)")) }
        for (from, to) in zip(addresses, addresses.dropFirst()) {
            try await server.answer(status: 302, headers: ["Location": to.absoluteString], at: from)
        }
        try await server.answer(Self.json(7), at: addresses[count])
        let source = try #require(URLCatalogSource(addresses[0]))
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: source)
        if count == 5 {
            #expect(try await loader.refresh()?.revision == 7)
        } else {
            await expectRefused(loader, .tooManyRedirects)
        }
    }

    @Test("a redirect never leads to a less safe address")
    func unsafeRedirect() async throws {
        try await server.answer(status: 302, headers: ["Location": "ftp://127.0.0.1/catalog.json"])
        await expectRefused(try await loader(), .unsafeRedirect)
        for (old, new, isSafe) in [
            ("https://a/", "https://b/", true), ("http://a/", "https://a/", true), ("http://a/", "http://b/", true),
            ("HTTPS://a/", "HTTPS://b/", true), ("https://a/", "http://a/", false), ("http://a/", "ftp://a/", false),
            ("https://a/", "data:,x", false), ("HTTPS://a/", "HTTP://a/", false),
        ] {
            #expect(URLCatalogSource.mayRedirect(from: URL(string: old), to: URL(string: new)) == isSafe)
        }
        #expect(!URLCatalogSource.mayRedirect(from: nil, to: URL(string: "http://a/")))
    }

    @Test("a refresh ends when its task is cancelled")
    func cancelled() async throws {
        try await server.answer(Data(), .silent)
        let loader = try await loader()
        let task = Task { await expectRefused(loader, .cancelled) }
        // The request is on its way, or not yet. Both must end.
        if Bool.random() { while try await server.requests().isEmpty {} }
        task.cancel()
        await task.value
    }

    @Test(
        "only an address of the web and a positive time limit make a source",
        arguments: [
            ("https://example.com/a", 20, true), ("HTTP://example.com", 0.1, true), ("file:///a", 20, false),
            ("example.com/a", 20, false), ("https:///a", 20, false), ("https://example.com/a", 0, false),
            ("https://example.com/a", .nan, false), ("https://example.com/a", .infinity, true),
        ] as [(String, Double, Bool)]
    )
    func addresses(address: String, timeLimit: Double, isGood: Bool) throws {
        let url = try #require(URL(string: address))
        #expect((URLCatalogSource(url, timeLimit: timeLimit) != nil) == isGood)
    }

    // MARK: Signatures

    @Test("a catalog that the key's owner signed counts, at the next launch too")
    func signed() async throws {
        let key = try PrivateKey.random()
        let body = Self.json(7)
        try await server.answer(body, headers: ["ETag": "a"])
        try await sign(body, with: key)
        let loader = try await loader(key: key)
        #expect(try await loader.refresh()?.revision == 7)
        #expect(try await self.loader(key: key).current.revision == 7)
        // What is unchanged needs no signature again.
        #expect(try await loader.refresh() == nil)
        #expect(try await server.requests(at: source.signatureAddress).count == 1)
    }

    @Test("a signature of another key or for other bytes is refused, and without a key nobody asks for one")
    func wronglySigned() async throws {
        let (key, body) = (try PrivateKey.random(), Self.json(7))
        let loader = try await loader(key: key)
        try await server.answer(body)
        try await sign(body, with: try PrivateKey.random())
        await expectRefused(loader, .wrongSignature)
        try await sign(body + Data([0x20]), with: key)
        await expectRefused(loader, .wrongSignature)
        #expect(try await self.loader().fileError == nil)
        #expect(loader.current.revision == 1)
        let unsigned = try await self.loader()
        #expect(try await unsigned.refresh()?.revision == 7)
        #expect(try await server.requests(at: source.signatureAddress).count == 2)
        // Once the right one is there, it counts.
        try await sign(body, with: key)
        #expect(try await loader.refresh()?.revision == 7)
    }

    @Test("a signature is 64 bytes in base64, in one line or in several")
    func signatureForm() async throws {
        let (key, body) = (try PrivateKey.random(), Self.json(7))
        let loader = try await loader(key: key)
        try await server.answer(body)
        await expectRefused(loader, .noSignature(status: 404))
        let signature = try key.signature(for: body)
        let good = signature.base64EncodedString()
        let middle = good.index(good.startIndex, offsetBy: 44)
        for text in [
            "", "?", String(good.dropLast(2)), good + "AAAA", good[..<middle] + "-" + good[middle...],
            signature.prefix(63).base64EncodedString(), (signature + [0]).base64EncodedString(),
        ] {
            try await server.answer(Data(text.utf8), at: source.signatureAddress)
            await expectRefused(loader, .wrongSignature)
        }
        try await server.answer(signature, at: source.signatureAddress)
        await expectRefused(loader, .wrongSignature)
        // A verifier isn't even asked about 63 bytes.
        try await server.answer(Data(signature.prefix(63).base64EncodedString().utf8), at: source.signatureAddress)
        let credulous = try CatalogLoader(
            bundledCatalog: Self.json(1),
            file: file,
            source: source,
            publicKey: key.publicKey,
            verifier: Credulous()
        )
        await expectRefused(credulous, .wrongSignature)
        let lines = " \r\n\(good[..<middle])\r\n\(good[middle...])\n"
        try await server.answer(Data(lines.utf8), at: source.signatureAddress)
        #expect(try await loader.refresh()?.revision == 7)
    }

    private struct Credulous: SignatureVerifier {
        func isValid(_ signature: Data, for message: Data, publicKey: Data) -> Bool { true }
    }

    @Test("a file that isn't signed with the key doesn't count")
    func signedFile() async throws {
        let key = try PrivateKey.random()
        try await server.answer(Self.json(7))
        _ = try await loader().refresh()
        #expect(try await loader(key: key).current.revision == 1)
        #expect(try await loader(key: key).fileError == .wrongSignature)

        try await sign(Self.json(7), with: key)
        _ = try await loader(key: key).refresh()
        #expect(try await loader(key: key).current.revision == 7)
        let other = try await loader(key: try PrivateKey.random())
        #expect(other.current.revision == 1)
        #expect(other.fileError == .wrongSignature)
    }

    @Test(
        "the signature lies behind the path, in front of the query",
        arguments: [
            ("https://a.com/c.json", "https://a.com/c.json.sig"),
            ("https://a.com/c.json?v=1&w=%2F", "https://a.com/c.json.sig?v=1&w=%2F"),
            ("https://a.com/c%3Fd%20e?x#y", "https://a.com/c%3Fd%20e.sig?x"),
            ("https://a.com/#y", "https://a.com/.sig"),
            ("https://a.com", "https://a.com/.sig"), ("https://a.com:8080?v", "https://a.com:8080/.sig?v"),
        ]
    )
    func signatureAddress(address: String, signature: String) throws {
        let url = try #require(URL(string: address))
        let source = try #require(URLCatalogSource(url))
        #expect(source.signatureAddress.absoluteString == signature)
    }

    // MARK: The app

    @Test("without what checks signatures, or with a key that can't be one, there is no loader")
    func settings() throws {
        func error(_ copy: Data, _ key: Data?, _ verifier: (any SignatureVerifier)? = nil) throws -> LoadError? {
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
        for wrong in [Data(), key.dropLast(), key + [0]] {
            #expect(try error(Self.json(1), wrong, makeVerifier()) == .invalidPublicKey)
        }
        #expect(try error(Data("{}".utf8), nil) == .bundledCatalog(.unknownFormat))
    }

    // MARK: The file

    @Test("a broken file falls back to the app's copy, and the next catalog replaces it")
    func brokenFile() async throws {
        try await server.answer(Self.json(7), headers: ["ETag": "a"])
        _ = try await loader().refresh()
        let good = try Data(contentsOf: file)
        let body = Self.json(7).base64EncodedString()
        let text = String(decoding: good, as: UTF8.self)
        let other = Data(text.replacingOccurrences(of: body, with: Self.json(9).base64EncodedString()).utf8)
        try #require(other != good)
        for bytes in [Data(), good.dropLast(), good.prefix(good.count / 2), Data(repeating: 0, count: 99), other] {
            try bytes.write(to: file)
            let loader = try await loader()
            #expect(loader.current.revision == 1)
            if case .brokenFile? = loader.fileError {} else { Issue.record("\(loader.fileError.debugDescription)") }
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
        if case .notSaved? = loader.fileError {} else { Issue.record("\(loader.fileError.debugDescription)") }
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

        func catalog(unless tag: String?) async throws(LoadError) -> CatalogAnswer {
            .catalog(await withCheckedContinuation { questions.continuation.yield($0) }, tag: nil)
        }

        func signature() async throws(LoadError) -> Data { throw .noSignature(status: 404) }
    }

    @Test("of two refreshes at once, a late answer with a lower revision doesn't replace a newer one")
    func lateAnswer() async throws {
        let hand = Hand()
        var questions = hand.questions.stream.makeAsyncIterator()
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: hand)
        let first = Task {
            await #expect(throws: LoadError.olderRevision(3, inHand: 5)) { try await loader.refresh() }
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
            .bundledCatalog(.notUTF8), .invalidPublicKey, .noVerifier, .unreachable(reason: "x"), .timedOut, .cancelled,
            .status(500), .unsafeRedirect, .tooManyRedirects, .tooLarge, .catalog(.notUTF8),
            .olderRevision(1, inHand: 2), .sameRevision(2), .noSignature(status: 404), .wrongSignature,
            .brokenFile(reason: "x"), .notSaved(reason: "x"),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.map(\.localizedDescription) == errors.map(\.description))
        #expect(LoadError.status(500).description == "The server answered with status 500.")
        #expect(
            LoadError.catalog(.notUTF8).description == "The new catalog is refused. The catalog is not UTF-8."
        )
    }
}
