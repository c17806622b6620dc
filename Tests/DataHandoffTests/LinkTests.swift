import DataHandoff
import Foundation
import Testing

/// Universal links.
struct LinkTests {
    private static let (nonce, key) = (Data(repeating: 7, count: 16), Data(repeating: 9, count: 32))
    private static let links: [HandoffLink] = [
        .request(nonce: nonce, publicKey: key), .request(nonce: nonce, publicKey: nil),
        .answer(nonce: nonce, package: Data([1, 2, 3])), .answer(nonce: nil, package: Data([0])),
        .receipt(nonce: nonce, digest: String(repeating: "ab", count: 32), proof: nil),
        .receipt(nonce: nonce, digest: String(repeating: "ab", count: 32), proof: Data(count: 16)),
    ]

    @Test("a message is the same with a scheme and as a universal link", arguments: links)
    func roundTrip(_ link: HandoffLink) throws {
        let own = try link.address(scheme: "trestle")
        let universal = try link.address(scheme: "trestle", domain: "example.com")
        #expect(universal == own.replacing("trestle://", with: "https://example.com/"))
        for address in [universal, universal.replacing("https://example", with: "HTTPS://EXAMPLE")] {
            #expect(try HandoffLink.parse(address, domain: "example.com") == link)
            #expect(try HandoffLink.parse(address, scheme: "trestle", domain: "Example.com") == link)
            #expect(try HandoffLink.parse(address) == link)
            #expect(throws: HandoffError.notALink) { try HandoffLink.parse(address, scheme: "trestle") }
            #expect(throws: HandoffError.notALink) { try HandoffLink.parse(address, domain: "example.org") }
        }
        #expect(try HandoffLink.parse(own, scheme: "trestle", domain: "example.com") == link)
        #expect(throws: HandoffError.notALink) { try HandoffLink.parse(own, domain: "example.com") }
    }

    @Test(
        "another address on the domain isn't a message, and a message on another one isn't the app's",
        arguments: [
            "http://example.com/handoff", "https://example.com", "https://example.com/", "https://example.com/handoff/",
            "https://example.com/x/handoff", "https://example.com//handoff", "https://example.com/Handoff",
            "https://www.example.com/handoff", "https://example.com.example.org/handoff",
            "https://example.com:443/handoff", "https://a@example.com/handoff", "https:///handoff", "https://handoff",
            "trestle://example.com/handoff", "trestle-lite://handoff",
        ]
    )
    func foreign(_ address: String) {
        #expect(throws: HandoffError.notALink) {
            try HandoffLink.parse(address + "?h=AAAA", scheme: "trestle", domain: "example.com")
        }
    }

    @Test("with a domain, both apps speak in universal links, whose sender isn't checked")
    func handshake() async throws {
        let apps = try Apps { route, _ in route.domain = "Bücher.example" }
        let invitation = try await apps.sender.invitation()
        #expect(invitation.absoluteString.hasPrefix("https://xn--bcher-kva.example/handoff?h="))
        guard case .invitation = try await apps.receiver.receive(invitation, from: nil) else {
            throw HandoffError.notALink
        }
        let request = try await apps.receiver.request()
        #expect(request.absoluteString.hasPrefix("https://xn--bcher-kva.example/handoff-request?n="))
        guard case .request(let delivery) = try await apps.sender.receive(request, from: nil),
            case .open(let answer) = try await delivery.send()
        else { throw HandoffError.notALink }
        #expect(answer.absoluteString.hasPrefix("https://xn--bcher-kva.example/handoff?n="))
        // An app that opened a universal link isn't named. If it were, it wouldn't matter.
        let offer = try await apps.offer(at: answer, from: "com.example.other")
        let receipt = try #require(try await offer.install(into: apps.documents).url)
        #expect(receipt.absoluteString.hasPrefix("https://xn--bcher-kva.example/handoff-receipt?n="))
        _ = try await apps.confirmation(receipt, from: nil)
    }

    @Test("with a domain, a link with the app's own scheme still counts only from the expected app")
    func schemeWithDomain() async throws {
        let apps = try Apps { route, _ in route.domain = "example.com" }
        func own(_ url: URL, _ scheme: String) throws -> URL {
            try #require(URL(string: url.absoluteString.replacing("https://example.com/", with: "\(scheme)://")))
        }
        let request = try await own(apps.receiver.request(), "trestle-lite")
        for app in [nil, "com.example.other"] {
            await #expect(throws: HandoffError.unexpectedApp(app)) { try await apps.sender.receive(request, from: app) }
        }
        let answer = try await own(apps.answer(to: request), "trestle")
        await #expect(throws: HandoffError.unexpectedApp(nil)) { try await apps.receiver.receive(answer, from: nil) }
        _ = try await apps.offer(at: answer)
    }
}
