import DataHandoff
import Foundation
import ReferralBridge
import TestSupport
import Testing

/// Which carrier a delivery takes, and what arrives by it.
struct CarrierTests {
    private let large = Data.incompressible(120_000)

    @Test("the shared folder comes first, and its link brings nothing but the name of the package")
    func group() async throws {
        let apps = try Apps(hasGroup: true, files: ["boards.sqlite": large])
        let delivery = try await apps.delivery()
        #expect(delivery.carriers == [.group, .link, .file])
        #expect(delivery.totalLength == large.count)
        guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
        #expect(url.absoluteString.utf8.count < 600)
        let offer = try await apps.offer(at: url)
        #expect(offer.manifest.files.map(\.length) == [large.count])
        let receipt = try await offer.install(into: apps.documents)
        #expect(try Data(contentsOf: apps.documents.appending(path: "boards.sqlite")) == large)
        let confirmation = try await apps.confirmation(try #require(receipt.url))
        #expect(confirmation.transfer == offer.manifest.transfer)
        #expect(confirmation.isProven)
        let handoff = apps.folder.appending(path: "group/Handoff")
        #expect(try FileManager.default.contentsOfDirectory(atPath: handoff.path()) == [])
    }

    @Test("without a shared folder small data goes on a link, and large data into a file")
    func automatic() async throws {
        let lite = try Apps(files: ["boards.sqlite": Data("14".utf8)])
        let small = try await lite.delivery()
        #expect(small.carriers == [.link, .file])
        guard case .open = try await small.send() else { throw HandoffError.notALink }

        let apps = try Apps(files: ["boards.sqlite": large])
        guard case .share(let file) = try await apps.delivery().send() else { throw HandoffError.notALink }
        #expect(file.pathExtension == "handoff")
        // A file may come from any app.
        let offer = try await apps.offer(at: file, from: "com.apple.mobilemail")
        #expect(try await offer.install(into: apps.documents).url == nil)
        #expect(try Data(contentsOf: apps.documents.appending(path: "boards.sqlite")) == large)
        _ = try await apps.sender.makeFile()
        #expect(!FileManager.default.fileExists(atPath: file.path()))
    }

    @Test("a sealed file is opened by the app that asked for it, once, within ten minutes, and has a receipt")
    func sealedFile() async throws {
        let apps = try Apps(files: ["boards.sqlite": large])
        var late = try await apps.delivery()
        late.sealsFile = true
        late.carrier = .file
        guard case .share(let lateFile) = try await late.send() else { throw HandoffError.notALink }
        let kept = apps.folder.appending(path: "kept.handoff")
        try FileManager.default.copyItem(at: lateFile, to: kept)
        apps.clock.milliseconds += 601_000
        await #expect(throws: HandoffError.sealed) { try await apps.receiver.receive(fileAt: kept) }

        _ = try await apps.receiver.request()
        var delivery = try await apps.delivery()
        delivery.sealsFile = true
        guard case .share(let file) = try await delivery.send() else { throw HandoffError.notALink }
        #expect(throws: HandoffError.sealed) { try HandoffPackage(bytes: Data(contentsOf: file)) }
        let receipt = try await apps.receiver.receive(fileAt: file).install(into: apps.documents)
        #expect(try Data(contentsOf: apps.documents.appending(path: "boards.sqlite")) == large)
        _ = try await apps.confirmation(try #require(receipt.url))
        await #expect(throws: HandoffError.sealed) { try await apps.receiver.receive(fileAt: file) }

        let openApps = try Apps(sealing: .unsealed)
        var unsealed = try await openApps.delivery()
        unsealed.sealsFile = true
        await #expect(throws: HandoffError.notSealed) { try await unsealed.send() }
    }

    @Test("a carrier that the app sets is taken, or is an error that says what is left")
    func chosen() async throws {
        let apps = try Apps(hasGroup: true, files: ["boards.sqlite": large])
        var delivery = try await apps.delivery()
        delivery.carrier = .link
        await #expect(throws: HandoffError.tooLargeForLink(left: [.group, .file])) { try await delivery.send() }
        delivery.maximumLinkSize = .max
        guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
        #expect(try await apps.offer(at: url).manifest.totalLength == large.count)
    }

    @Test("what the app remembers and can't read now is an error, and what is damaged counts as nothing")
    func unreadableRecord() async throws {
        let apps = try Apps(files: [:])
        let file = apps.storage.appending(path: "receiver.json")
        // A folder can't be read as a file, not even by root.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: HandoffError.self) { try apps.nextReceiver() }
        try FileManager.default.removeItem(at: file)
        try Data("{".utf8).write(to: file)
        _ = try await apps.nextReceiver().request()
    }
}
