import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// What no app sends and none accepts.
struct RefusalTests {
    private func apps(_ files: [String: Data], hasGroup: Bool = true) throws -> Apps {
        try Apps(sealing: .unsealed, allowsOpenLinks: true, hasGroup: hasGroup, files: files)
    }

    private func package(
        from sender: String = Apps.lite,
        _ files: [(name: String, contents: Data)],
        transfer: String? = nil
    ) throws -> HandoffPackage {
        let transfer = transfer.flatMap(UUID.init(uuidString:)) ?? UUID()
        return try HandoffPackage(files: files, schema: 1, from: sender, to: Apps.paid, transfer: transfer)
    }

    /// Expects that a package is refused on a link and in a file, and that nothing is staged.
    private func expectRefused(_ package: HandoffPackage, as error: HandoffError, _ apps: Apps) async throws {
        let answer = try await apps.answer(with: package)
        await #expect(throws: error) { try await apps.receiver.receive(answer, from: Apps.lite) }
        let file = apps.folder.appending(path: "package.handoff")
        try package.bytes().write(to: file)
        await #expect(throws: error) { try await apps.receiver.receive(file, from: nil) }
        #expect((try? Apps.tree(apps.staged))?.isEmpty != false)
    }

    @Test(
        "a package must be from the route's sender, on every carrier",
        arguments: [
            "com.example.other", "com.example.trestle.Lite", "com.example.trestle.lite ",
        ]
    )
    func otherSender(_ sender: String) async throws {
        let apps = try apps(["boards.sqlite": Data("14".utf8)])
        let stranger = try package(from: sender, [("boards.sqlite", Data("15".utf8))])
        try await expectRefused(stranger, as: .wrongSender(sender), apps)

        let file = apps.folder.appending(path: "lite/boards.sqlite")
        let folder = HandoffFolder(in: apps.folder.appending(path: "group"))
        let contents = HandoffContents(schema: 1, files: [.init("boards.sqlite", at: file)])
        let route = HandoffRoute(from: sender, to: Apps.paid, scheme: "trestle", returnScheme: "other")
        let left = try folder.write(contents, on: route, created: .now)
        #expect(try await apps.receiver.packages().map(\.manifest) == [.failure(.wrongSender(sender))])
        let pointer = try await apps.answer(with: package([], transfer: left.transfer))
        await #expect(throws: HandoffError.wrongSender(sender)) {
            try await apps.receiver.receive(pointer, from: Apps.lite)
        }
    }

    @Test("a package without files is no offer, and isn't sent")
    func noFiles() async throws {
        let apps = try apps([:])
        let file = apps.folder.appending(path: "package.handoff")
        try package([]).bytes().write(to: file)
        await #expect(throws: HandoffError.noFiles) { try await apps.receiver.receive(file, from: nil) }
        await #expect(throws: HandoffError.noFiles) { try await apps.sender.makeFile() }
        await #expect(throws: HandoffError.noFiles) { try await apps.sender.sendToGroup() }
        await #expect(throws: HandoffError.noFiles) { _ = try await apps.delivery() }

        let manifest = try package([]).manifest
        try apps.put(manifest.json, at: "group/Handoff/\(manifest.transfer)/manifest.json")
        #expect(try await apps.receiver.packages().map(\.manifest) == [.failure(.noFiles)])
    }

    @Test("a link that names a package that isn't in the shared folder brings nothing", arguments: [true, false])
    func missingPackage(hasGroup: Bool) async throws {
        let apps = try apps(["boards.sqlite": Data("14".utf8)], hasGroup: hasGroup)
        let answer = try await apps.answer(with: package([]))
        await #expect(throws: HandoffError.packageMissing) { try await apps.receiver.receive(answer, from: Apps.lite) }
        let older = try apps.nextReceiver(schemas: -2 ... -1, sealing: .unsealed)
        await #expect(throws: HandoffError.newerSchema(1)) { try await older.receive(answer, from: Apps.lite) }
    }

    @Test("700 small files go through the shared folder, and not on a link or into a file")
    func longList() async throws {
        let files = (0..<700).map { ("note \($0)", Data("\($0)".utf8)) }
        let apps = try apps(Dictionary(uniqueKeysWithValues: files))
        var delivery = try await apps.delivery()
        for carrier in [HandoffCarrier.link, .file] {
            delivery.carrier = carrier
            await #expect(throws: HandoffError.listTooLong) { try await delivery.send() }
        }
        await #expect(throws: HandoffError.listTooLong) { try await apps.sender.makeFile() }
        delivery.carrier = nil
        guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
        try await apps.offer(at: url).install(into: apps.documents).finish()
        #expect(try String(contentsOf: apps.documents.appending(path: "note 699"), encoding: .utf8) == "699")
    }

    @Test("more files than any receiver accepts aren't sent")
    func tooManyFiles() async throws {
        let apps = try apps(["a": Data()])
        let source = apps.folder.appending(path: "lite/a")
        let storage = apps.folder.appending(path: "storage")
        let sender = try HandoffSender(apps.route, storage: storage, sealing: .unsealed) {
            HandoffContents(schema: 1, files: (0...10_000).map { .init("\($0)", at: source) })
        }
        await #expect(throws: HandoffError.tooManyFiles) { try await sender.sendToGroup() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: apps.folder.path + "/group") == [])
    }
}
