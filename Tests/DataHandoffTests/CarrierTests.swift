import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// Which carrier a delivery takes, and what arrives by it.
struct CarrierTests {
    private let large = Data.incompressible(120_000)

    private func delivery(_ apps: Apps) async throws -> HandoffDelivery {
        let request = try await apps.receiver.request()
        guard case .request(let delivery) = try await apps.sender.receive(request, from: Apps.paid) else {
            throw HandoffError.notALink
        }
        return delivery
    }

    private func offer(_ apps: Apps, _ url: URL) async throws -> HandoffOffer {
        guard case .offer(let offer) = try await apps.receiver.receive(url, from: Apps.lite) else {
            throw HandoffError.notALink
        }
        return offer
    }

    private func apps(group: Bool, _ files: [String: Data]) throws -> Apps {
        try Apps(files: files) { route, folder in
            if group { route.group = folder.appending(path: "group") }
        }
    }

    @Test("the shared folder comes first, and its link brings nothing but the name of the package")
    func group() async throws {
        let apps = try apps(group: true, ["boards.sqlite": large])
        let delivery = try await delivery(apps)
        #expect(delivery.carriers == [.group, .link, .file])
        #expect(delivery.totalLength == large.count)
        guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
        #expect(url.absoluteString.utf8.count < 600)
        let offer = try await offer(apps, url)
        #expect(offer.manifest.files.map(\.length) == [large.count])
        let receipt = try await offer.install(into: apps.documents)
        #expect(try Data(contentsOf: apps.documents.appending(path: "boards.sqlite")) == large)
        let address = try #require(receipt.url)
        guard case .receipt(let confirmation) = try await apps.sender.receive(address, from: Apps.paid) else {
            throw HandoffError.unrequested
        }
        #expect(confirmation.transfer == offer.manifest.transfer)
        #expect(confirmation.isProven)
        let handoff = apps.folder.appending(path: "group/Handoff")
        #expect(try FileManager.default.contentsOfDirectory(atPath: handoff.path()) == [])
    }

    @Test("without a shared folder small data goes on a link, and large data into a file")
    func automatic() async throws {
        let lite = try apps(group: false, ["boards.sqlite": Data("14".utf8)])
        let small = try await delivery(lite)
        #expect(small.carriers == [.link, .file])
        guard case .open = try await small.send() else { throw HandoffError.notALink }

        let apps = try apps(group: false, ["boards.sqlite": large])
        guard case .share(let file) = try await delivery(apps).send() else { throw HandoffError.notALink }
        #expect(file.pathExtension == "handoff")
        // A file may come from any app.
        guard case .offer(let offer) = try await apps.receiver.receive(file, from: "com.apple.mobilemail") else {
            throw HandoffError.notALink
        }
        #expect(try await offer.install(into: apps.documents).url == nil)
        #expect(try Data(contentsOf: apps.documents.appending(path: "boards.sqlite")) == large)
        let next = try await apps.sender.makeFile()
        #expect(FileManager.default.fileExists(atPath: next.path()))
        #expect(!FileManager.default.fileExists(atPath: file.path()))
    }

    @Test("a sealed file is opened by the app that asked for it, once, within ten minutes, and has a receipt")
    func sealedFile() async throws {
        let apps = try apps(group: false, ["boards.sqlite": large])
        var late = try await delivery(apps)
        late.sealsFile = true
        late.carrier = .file
        guard case .share(let lateFile) = try await late.send() else { throw HandoffError.notALink }
        let kept = apps.folder.appending(path: "kept.handoff")
        try FileManager.default.copyItem(at: lateFile, to: kept)
        apps.clock.advance(by: 601)
        await #expect(throws: HandoffError.sealed) { try await apps.receiver.receive(fileAt: kept) }

        _ = try await apps.receiver.request()
        var delivery = try await delivery(apps)
        delivery.sealsFile = true
        guard case .share(let file) = try await delivery.send() else { throw HandoffError.notALink }
        #expect(throws: HandoffError.sealed) { try HandoffPackage(bytes: Data(contentsOf: file)) }
        let receipt = try await apps.receiver.receive(fileAt: file).install(into: apps.documents)
        #expect(try Data(contentsOf: apps.documents.appending(path: "boards.sqlite")) == large)
        let url = try #require(receipt.url)
        guard case .receipt = try await apps.sender.receive(url, from: Apps.paid) else {
            throw HandoffError.unrequested
        }
        await #expect(throws: HandoffError.sealed) { try await apps.receiver.receive(fileAt: file) }

        let openApps = try Apps(sealing: .unsealed)
        var unsealed = try await self.delivery(openApps)
        unsealed.sealsFile = true
        await #expect(throws: HandoffError.notSealed) { try await unsealed.send() }
    }

    @Test("a carrier that the app sets is taken, or is an error that says what is left")
    func chosen() async throws {
        let apps = try apps(group: true, ["boards.sqlite": large])
        var delivery = try await delivery(apps)
        delivery.carrier = .link
        await #expect(throws: HandoffError.tooLargeForLink(left: [.group, .file])) { try await delivery.send() }
        delivery.maximumLinkSize = 1_000
        await #expect(throws: HandoffError.tooLargeForLink(left: [.group, .file])) { try await delivery.send() }
        delivery.maximumLinkSize = .max
        guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
        #expect(try await offer(apps, url).manifest.totalLength == large.count)
    }

    @Test("an offer outlives a recovery in the same launch, and another offer of the same package")
    func offers() async throws {
        let apps = try apps(group: false, ["boards.sqlite": Data("14".utf8)])
        let file = try await apps.sender.makeFile()
        let (first, second) = try await (apps.receiver.receive(fileAt: file), apps.receiver.receive(fileAt: file))
        try await first.decline()
        _ = try await apps.receiver.recover(in: apps.documents)
        try await second.install(into: apps.documents).finish()
        #expect(apps.file == "14")
    }

    @Test("what the app remembers and can't read now is an error, and what is damaged counts as nothing")
    func unreadableRecord() async throws {
        let apps = try apps(group: false, [:])
        let storage = apps.folder.appending(path: "storage")
        let file = storage.appending(path: "DataHandoff/receiver.json")
        let route = HandoffRoute(from: Apps.lite, to: Apps.paid, scheme: "trestle", returnScheme: "trestle-lite")
        func receiver() throws -> HandoffReceiver {
            try HandoffReceiver(route, schemas: 1...1, storage: storage, sealing: .unsealed)
        }
        // A folder can't be read as a file, not even by root.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: HandoffError.self) { try receiver() }
        try FileManager.default.removeItem(at: file)
        try Data("{".utf8).write(to: file)
        _ = try await receiver().request()
    }
}
