import Foundation
import ReferralBridge
import ReferralSigning
import Testing
import Unlocks

extension CatalogLoaderTests {
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
        await expectRefused(loader, .download(.status(404)))
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
        func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool { true }
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
}
