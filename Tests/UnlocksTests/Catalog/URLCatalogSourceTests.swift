import Foundation
import Testing

@testable import Unlocks

/// The web's source, against a server that answers over a real connection.
struct URLCatalogSourceTests {
    private static let json = Data(#"{"format":1,"revision":7,"items":[]}"#.utf8)

    private let server: CatalogServer
    private let source: URLCatalogSource

    init() throws {
        server = try CatalogServer()
        source = try #require(URLCatalogSource(server.address))
    }

    private func expectFailure(_ error: DownloadError) async {
        await #expect(throws: error) { try await source.catalog() }
    }

    private func expectUnreachable(_ source: URLCatalogSource) async {
        await #expect {
            try await source.catalog()
        } throws: { error in
            if case .unreachable? = error as? DownloadError { true } else { false }
        }
    }

    @Test("the bytes are those of the server; its date over http counts for nothing: anyone on the way can change it")
    func catalog() async throws {
        // The server sends the date of each answer.
        try await server.answer(Self.json)
        let answer = try await source.catalog()
        #expect(answer.body == Self.json && answer.date == nil)
        #expect(WebAnswer.date("Sun, 06 Nov 1994 08:49:37 GMT") == Date(timeIntervalSince1970: 784_111_777))
        for text in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "", "today"] {
            #expect(WebAnswer.date(text) == nil, "\(text)")
        }
    }

    @Test("an answer that is no success is refused", arguments: [201, 204, 206, 304, 300, 403, 404, 500, 503])
    func statuses(status: Int) async throws {
        try await server.answer(status == 204 || status == 304 ? Data() : Self.json, status: status)
        await expectFailure(.status(status))
    }

    @Test("a server that isn't there, or that ends before its answer does, can't be reached")
    func unreachable() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:1/catalog.json"))
        await expectUnreachable(try #require(URLCatalogSource(nobody)))
        // Both halves are catalogs.
        try await server.answer(Self.json + Data(repeating: 0x20, count: Self.json.count), .cut)
        await expectUnreachable(source)
    }

    @Test("1 MiB is accepted, and a byte more isn't, announced or not")
    func size() async throws {
        let limit = ShopCatalog.maximumLength
        try await server.answer(Self.json + Data(repeating: 0x20, count: limit - Self.json.count))
        #expect(try await source.catalog().body.count == limit)
        try await server.answer(Data(repeating: 0x20, count: limit + 1))
        await expectFailure(.tooLarge(limit))
        try await server.answer(Data(), .endless)
        await expectFailure(.tooLarge(limit))
        try await server.answer(headers: ["Content-Length": "\(limit + 1)"], .drip)
        await expectFailure(.tooLarge(limit))
    }

    @Test("no cookie is sent back, neither to a redirect's target nor with the next request")
    func cookies() async throws {
        let target = try #require(URL(string: server.address.absoluteString + "/target"))
        let cookie = ["Set-Cookie": "who=anna; Path=/"]
        try await server.answer(status: 302, headers: cookie.merging(["Location": target.path()]) { $1 })
        try await server.answer(Self.json, headers: cookie, at: target)
        for _ in 0..<2 { #expect(try await source.catalog().body == Self.json) }
        let requests = try await server.requests() + server.requests(at: target)
        #expect(requests.allSatisfy { $0["Cookie"] == nil })
    }

    @Test("a redirect never leads to a less safe address")
    func unsafeRedirect() async throws {
        try await server.answer(status: 302, headers: ["Location": "ftp://127.0.0.1/catalog.json"])
        await expectFailure(.unsafeRedirect)
        for (old, new, isSafe) in [
            ("https://a/", "https://b/", true), ("http://a/", "https://a/", true), ("http://a/", "http://b/", true),
            ("HTTPS://a/", "HTTPS://b/", true), ("https://a/", "http://a/", false), ("http://a/", "ftp://a/", false),
            ("https://a/", "data:,x", false), ("HTTPS://a/", "HTTP://a/", false),
        ] {
            #expect(WebSession.mayRedirect(from: URL(string: old), to: URL(string: new)) == isSafe)
        }
        #expect(!WebSession.mayRedirect(from: nil, to: URL(string: "http://a/")))
    }

    @Test("a request ends when its task is cancelled")
    func cancelled() async throws {
        try await server.answer(Data(), .silent)
        let task = Task { await expectFailure(.cancelled) }
        // The request is on its way, or not yet. Both must end.
        if Bool.random() { while try await server.requests().isEmpty {} }
        task.cancel()
        await task.value
    }

    @Test(
        "only an address of the web makes a source; the signature lies behind the path, in front of the query",
        arguments: [
            ("https://a.com/c.json", "https://a.com/c.json.sig"),
            ("HTTP://a.com/c.json?v=1&w=%2F", "HTTP://a.com/c.json.sig?v=1&w=%2F"),
            ("https://a.com:8080/c%3Fd%20e?x", "https://a.com:8080/c%3Fd%20e.sig?x"),
            ("file:///a", nil), ("example.com/a", nil), ("https:///a", nil),
        ]
    )
    func addresses(address: String, signature: String?) throws {
        let url = try #require(URL(string: address))
        #expect(URLCatalogSource(url)?.signatureAddress.absoluteString == signature)
    }
}
