import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// The three steps between two apps, and everybody who gets in between.
struct HandshakeTests {
    private func expectNothing(_ apps: Apps) {
        #expect(apps.installed == [])
        #expect((try? Apps.tree(apps.staged))?.isEmpty != false)
    }

    @Test("request, answer, receipt: the files arrive, and the sender hears of it", arguments: [true, false])
    func threeSteps(isSealed: Bool) async throws {
        let apps = try Apps(sealing: isSealed ? .custom(ToySealer()) : .unsealed, allowsOpenLinks: true)
        let request = try await apps.receiver.request()
        #expect(request.absoluteString.hasPrefix("trestle-lite://handoff-request?n="))
        let answer = try await apps.answer(to: request)
        #expect(answer.absoluteString.hasPrefix("trestle://handoff?n="))
        let offer = try await apps.offer(at: answer)
        #expect(offer.manifest.files.map(\.name) == ["boards.sqlite"])
        #expect(apps.installed == [])

        let receipt = try await offer.install(into: apps.documents)
        #expect(apps.file == "fourteen boards")
        let url = try #require(receipt.url)
        #expect(url.absoluteString.hasPrefix("trestle-lite://handoff-receipt?n="))
        let confirmation = try await apps.confirmation(url)
        #expect(confirmation.transfer == offer.manifest.transfer)
        #expect(confirmation.isProven == isSealed)
        try receipt.finish()
        #expect(apps.installed == ["boards.sqlite"])
    }

    // MARK: A hijacker

    @Test("only the expected app counts", arguments: ["com.example.other", nil])
    func otherApp(_ app: String?) async throws {
        let apps = try Apps()
        let request = try await apps.receiver.request()
        await #expect(throws: HandoffError.unexpectedApp(app)) { try await apps.sender.receive(request, from: app) }
        let answer = try await apps.answer(to: request)
        await #expect(throws: HandoffError.unexpectedApp(app)) { try await apps.receiver.receive(answer, from: app) }
        expectNothing(apps)
        // What a stranger tried didn't use up the request.
        try await apps.offer(at: answer).decline()
    }

    @Test("an open answer to a request for a sealed one isn't taken")
    func openAnswer() async throws {
        let apps = try Apps()
        let package = try HandoffPackage(files: [("a", Data())], schema: 1, from: Apps.lite, to: Apps.paid)
        let answer = try await apps.answer(with: package)
        await #expect(throws: HandoffError.openAnswer) { try await apps.receiver.receive(answer, from: Apps.lite) }
        expectNothing(apps)
    }

    @Test("a hijacker's own key opens nothing, and what it seals opens nowhere")
    func otherKey() async throws {
        let apps = try Apps()
        let nonce = try await apps.requestedNonce()
        // The request arrives with another key than the receiver has made.
        let forged = try HandoffLink.request(nonce: nonce, publicKey: try ToySealer().makeKey().publicKey)
        let answer = try await apps.answer(to: try #require(URL(string: forged.address(scheme: "trestle-lite"))))
        await #expect(throws: HandoffError.sealed) { try await apps.receiver.receive(answer, from: Apps.lite) }
        expectNothing(apps)
    }

    @Test("without a seal nothing travels on a link, unless the app says so")
    func notSealed() async throws {
        let apps = try Apps(sealing: .unsealed)
        var delivery = try await apps.delivery()
        #expect(delivery.carriers == [.file])
        guard case .share = try await delivery.send() else { return #expect(Bool(false)) }
        delivery.carrier = .link
        await #expect(throws: HandoffError.notSealed) { try await delivery.send() }
        let link = HandoffLink.request(nonce: Data(count: 16), publicKey: Data(count: 32))
        let sealed = try #require(URL(string: try link.address(scheme: "trestle-lite")))
        await #expect(throws: HandoffError.notSealed) { try await apps.sender.receive(sealed, from: Apps.paid) }
    }

    @Test("the older form brings one file, from the app that is expected, up to the receiver's limit")
    func oldForm() async throws {
        let old = OldAddress("myapp://localhost/importDatabase")
        let apps = try Apps(maximumSize: 10) { route, _ in
            (route.oldAddress, route.oldFileName) = (old, "boards.sqlite")
        }
        let url = try #require(URL(string: old.address(with: Data("old boards".utf8))))
        let longer = try #require(URL(string: old.address(with: Data(count: 11))))
        await #expect(throws: HandoffError.unexpectedApp(nil)) { try await apps.receiver.receive(url, from: nil) }
        await #expect(throws: HandoffError.tooLarge) { try await apps.offer(at: longer) }
        _ = try await apps.offer(at: url).install(into: apps.documents)
        #expect(apps.file == "old boards")
    }
}
