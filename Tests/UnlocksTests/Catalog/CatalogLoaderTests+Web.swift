import Foundation
import Testing

@testable import Unlocks

extension CatalogLoaderTests {
    @Test(
        "an answer that is no success is refused",
        arguments: [201, 204, 206, 304, 300, 302, 403, 404, 410, 500, 503]
    )
    func statuses(status: Int) async throws {
        try await server.answer(status == 204 || status == 304 ? Data() : Self.json(7), status: status)
        await expectRefused(try await loader(), .download(.status(status)))
    }

    @Test("a server that doesn't answer, or never ends, ends with the time limit", arguments: ["silent", "drip"])
    func slow(manner: String) async throws {
        try await server.answer(Self.json(7), try #require(.init(rawValue: manner)))
        let source = try #require(URLCatalogSource(server.address, timeLimit: 0.3))
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: source)
        await expectRefused(loader, .download(.timedOut))
    }

    @Test("a server that isn't there can't be reached")
    func unreachable() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:1/catalog.json"))
        let source = try #require(URLCatalogSource(nobody))
        let loader = try CatalogLoader(bundledCatalog: Self.json(1), file: file, source: source)
        await expectRefused(loader) { if case .download(.unreachable) = $0 { true } else { false } }
    }

    @Test("a catalog that was cut off, or has another length than the server said, is refused")
    func cutOff() async throws {
        let loader = try await loader()
        // Both halves are catalogs.
        let whole = Self.json(7)
        try await server.answer(whole + Data(repeating: 0x20, count: whole.count), .cut)
        await expectRefused(loader) { if case .download(.unreachable) = $0 { true } else { false } }
        try await server.answer(whole, headers: ["Content-Length": "\(whole.count + 1)"])
        await expectRefused(loader) { if case .download(.unreachable) = $0 { true } else { false } }
        try await server.answer(whole, headers: ["Content-Length": "\(whole.count - 1)"])
        await expectRefused(loader, .catalog(.notAnObject))
    }

    @Test("1 MiB is taken, and a byte more isn't")
    func size() async throws {
        func padded(_ revision: Int, to count: Int) -> Data {
            Self.json(revision) + Data(repeating: 0x20, count: count - Self.json(revision).count)
        }
        let loader = try await loader()
        try await server.answer(padded(7, to: ShopCatalog.maximumLength))
        #expect(try await loader.refresh()?.revision == 7)
        for count in [ShopCatalog.maximumLength + 1, 2 << 20] {
            try await server.answer(padded(8, to: count))
            await expectRefused(loader, .download(.tooLarge(ShopCatalog.maximumLength)))
        }
    }

    @Test("an answer without an end is given up at 1 MiB")
    func endless() async throws {
        try await server.answer(Data(), .endless)
        await expectRefused(try await loader(), .download(.tooLarge(ShopCatalog.maximumLength)))
    }

    @Test("an answer that says that it is too large isn't waited for")
    func announced() async throws {
        try await server.answer(headers: ["Content-Length": "\(ShopCatalog.maximumLength + 1)"], .drip)
        await expectRefused(try await loader(), .download(.tooLarge(ShopCatalog.maximumLength)))
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
            await expectRefused(loader, .download(.tooManyRedirects))
        }
    }

    @Test("a redirect never leads to a less safe address")
    func unsafeRedirect() async throws {
        try await server.answer(status: 302, headers: ["Location": "ftp://127.0.0.1/catalog.json"])
        await expectRefused(try await loader(), .download(.unsafeRedirect))
        for (old, new, isSafe) in [
            ("https://a/", "https://b/", true), ("http://a/", "https://a/", true), ("http://a/", "http://b/", true),
            ("HTTPS://a/", "HTTPS://b/", true), ("https://a/", "http://a/", false), ("http://a/", "ftp://a/", false),
            ("https://a/", "data:,x", false), ("HTTPS://a/", "HTTP://a/", false),
        ] {
            #expect(WebSession.mayRedirect(from: URL(string: old), to: URL(string: new)) == isSafe)
        }
        #expect(!WebSession.mayRedirect(from: nil, to: URL(string: "http://a/")))
    }

    @Test("a refresh ends when its task is cancelled")
    func cancelled() async throws {
        try await server.answer(Data(), .silent)
        let loader = try await loader()
        let task = Task { await expectRefused(loader, .download(.cancelled)) }
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
}
