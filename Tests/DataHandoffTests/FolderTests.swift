import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// Packages in a folder that both apps share.
struct FolderTests {
    private func shared(_ apps: Apps) -> URL { apps.folder.appending(path: "group") }

    private func apps(_ files: [String: Data] = ["boards.sqlite": Data("fourteen boards".utf8)]) throws -> Apps {
        try Apps(files: files) { route, folder in route.group = folder.appending(path: "group") }
    }

    private func put(_ text: String, at path: String, in folder: URL) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func contents(_ folder: URL) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path()))
    }

    @Test("a package is sent, taken, and said to have arrived")
    func roundTrip() async throws {
        let apps = try apps()
        let folder = HandoffFolder(in: shared(apps))
        let sent = try await apps.sender.sendToGroup()
        #expect(try await apps.sender.confirmations() == [])
        let found = try await apps.receiver.packages()
        let manifest = try #require(try found.first?.manifest.get())
        #expect(found.count == 1)
        #expect(manifest == sent)
        let receipt = try await apps.receiver.open(manifest).install(into: apps.documents)
        try receipt.finish()
        #expect(receipt.url == nil)
        #expect(apps.file == "fourteen boards")
        #expect(apps.installed == ["boards.sqlite"])
        #expect(try await apps.receiver.packages().isEmpty)
        let confirmations = try await apps.sender.confirmations()
        #expect(confirmations.map(\.transfer) == [sent.transfer])
        #expect(confirmations.map(\.isProven) == [true])
        #expect(try contents(folder.url) == [])
        #expect(try await apps.sender.confirmations() == [])
    }

    @Test("what isn't a package is skipped with a reason, and stays")
    func foreign() async throws {
        let apps = try apps()
        let sent = try await apps.sender.sendToGroup()
        let handoff = shared(apps).appending(path: "Handoff")
        let transfer = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        try put("somebody's", at: "a file", in: handoff)
        try put("somebody's", at: "a folder/manifest.txt", in: handoff)
        try put("{", at: "garbage/manifest.json", in: handoff)
        try put(sent.json, at: "renamed/manifest.json", in: handoff)
        try put("half of it", at: "\(transfer).unfinished/files/a", in: handoff)
        try FileManager.default.createSymbolicLink(
            at: handoff.appending(path: "link"),
            withDestinationURL: handoff.appending(path: sent.transfer)
        )
        let other = try HandoffManifest(
            transfer: #require(UUID(uuidString: transfer)),
            created: Timestamp(milliseconds: 1),
            from: Apps.lite,
            to: Apps.paid,
            schema: 1,
            files: [.init(name: "boards.sqlite", length: 2, sha256: String(repeating: "0", count: 64))]
        )
        try put(other.json, at: "\(transfer)/manifest.json", in: handoff)
        let before = try contents(shared(apps))
        func reasons() async throws -> [String: HandoffError] {
            var reasons: [String: HandoffError] = [:]
            for package in try await apps.receiver.packages() {
                if case .failure(let error) = package.manifest { reasons[package.name] = error }
            }
            return reasons
        }
        #expect(
            try await reasons() == [
                "a file": .notAPackage, "a folder": .notAPackage, "garbage": .invalidManifest,
                "renamed": .invalidManifest,
                "link": .notAPackage, transfer: .truncated,
            ]
        )
        #expect(try await apps.receiver.packages().first?.name == sent.transfer)
        try put("12", at: "\(transfer)/files/boards.sqlite", in: handoff)
        #expect(try await reasons()[transfer] == nil)
        await #expect(throws: HandoffError.corrupt) { try await apps.receiver.open(other) }
        try put("123", at: "\(transfer)/files/boards.sqlite", in: handoff)
        #expect(try await reasons()[transfer] == .trailingBytes)
        #expect(try contents(shared(apps)).isSuperset(of: before))

        try HandoffFolder(in: shared(apps)).removeUnfinished()
        #expect(try contents(shared(apps)).isSuperset(of: before))
    }

    @Test("once the newest package has arrived, nobody can read the older ones, and the others stay")
    func superseded() async throws {
        let apps = try apps()
        let handoff = shared(apps).appending(path: "Handoff")
        func package(_ number: Int, from sender: String = Apps.lite, to receiver: String = Apps.paid) throws -> String {
            let text = "boards"
            let manifest = try HandoffManifest(
                transfer: #require(UUID(uuidString: "3F2504E0-4F89-41D3-9A0C-0305E82C330\(number)")),
                created: Timestamp(milliseconds: Double(number)),
                from: sender,
                to: receiver,
                schema: 1,
                files: [.init(name: "a", length: text.utf8.count, sha256: SHA256.digest(Data(text.utf8)).hexadecimal)]
            )
            try put(manifest.json, at: manifest.transfer + "/manifest.json", in: handoff)
            try put(text, at: manifest.transfer + "/files/a", in: handoff)
            return manifest.transfer
        }
        let arrived = try package(1)
        try put(String(repeating: "0", count: 64), at: arrived + "/receipt", in: handoff)
        let older = try [package(2), package(3)]
        let others = try [package(4, from: "com.example.other"), package(5, to: "com.example.other")]
        let manifest = try await #require(apps.receiver.packages().first { $0.name == older[1] }?.manifest.get())
        let newest = try package(6)
        try await apps.receiver.open(manifest).install(into: apps.documents).finish()
        #expect(try contents(handoff).filter { !$0.contains("/") } == Set([arrived, older[1], newest] + others))
        #expect(
            try contents(handoff).filter { $0.hasSuffix("/files/a") }
                == Set((others + [newest, arrived]).map { $0 + "/files/a" })
        )
    }

    @Test("once the newest package has arrived by a link, nobody can read the older one", arguments: [true, false])
    func supersededByAnother(isLink: Bool) async throws {
        let apps = try apps()
        let older = try await apps.sender.sendToGroup()
        apps.clock.advance(by: 1)
        guard
            case .request(var delivery) = try await apps.sender.receive(apps.receiver.request(), from: Apps.paid)
        else { throw HandoffError.notALink }
        delivery.carrier = isLink ? .link : .file
        let offer: HandoffOffer
        switch try await delivery.send() {
        case .open(let url):
            guard case .offer(let arrived) = try await apps.receiver.receive(url, from: Apps.lite) else {
                throw HandoffError.notALink
            }
            offer = arrived
        case .share(let file): offer = try await apps.receiver.receive(fileAt: file)
        }
        try await offer.install(into: apps.documents).finish()
        // A file may be another device's, so what waits here isn't lost with it.
        #expect(try await apps.receiver.packages().map(\.name) == (isLink ? [] : [older.transfer]))
    }

    @Test("a file that vanishes meanwhile is an error, and nothing is staged")
    func vanished() async throws {
        let apps = try apps(["a": Data("1".utf8), "b": Data("2".utf8)])
        let sent = try await apps.sender.sendToGroup()
        try FileManager.default.removeItem(
            at: shared(apps).appending(path: "Handoff/\(sent.transfer)/files/b")
        )
        await #expect(throws: HandoffError.self) { try await apps.receiver.open(sent) }
        let staged = apps.folder.appending(path: "storage/DataHandoff/staged")
        #expect(try contents(staged) == [])
        #expect(apps.installed == [])
        #expect(try await apps.receiver.packages().map(\.manifest) == [.failure(.truncated)])
    }

    @Test("a group folder that is gone holds nothing, and can't be sent to")
    func gone() async throws {
        let apps = try apps()
        try FileManager.default.removeItem(at: shared(apps))
        try Data().write(to: shared(apps))
        #expect(try await apps.receiver.packages().isEmpty)
        await #expect(throws: HandoffError.self) { try await apps.sender.sendToGroup() }
    }

    @Test("a database in use isn't sent, by any carrier, and its copy is")
    func openDatabase() async throws {
        let apps = try apps(["boards.sqlite": Data("1".utf8), "boards.sqlite-wal": Data("2".utf8)])
        await #expect(throws: HandoffError.openDatabase("boards.sqlite")) { try await apps.sender.sendToGroup() }
        await #expect(throws: HandoffError.openDatabase("boards.sqlite")) { try await apps.sender.makeFile() }
        #expect(try contents(shared(apps)).filter { $0.contains("-") } == [])
        try Data().write(to: apps.folder.appending(path: "lite/boards.sqlite-wal"))
        _ = try await apps.sender.sendToGroup()
    }

    @Test("a newer schema is refused before anything is written")
    func newerSchema() async throws {
        let apps = try apps()
        let folder = HandoffFolder(in: shared(apps))
        let file = apps.folder.appending(path: "lite/boards.sqlite")
        try folder.write(files: [.init("boards.sqlite", at: file)], schema: 2, from: Apps.lite, to: Apps.paid)
        #expect(try await apps.receiver.packages().map(\.manifest) == [.failure(.newerSchema(2))])
    }

    @Test("at most 10,000 files are sent")
    func manyFiles() throws {
        let apps = try apps()
        let (folder, missing) = (HandoffFolder(in: shared(apps)), apps.folder.appending(path: "missing"))
        let notThere = HandoffError.fileFailed(path: "missing", reason: "No such file or directory")
        for (count, error) in [(10_000, notThere), (10_001, .tooManyFiles)] {
            let files = (0..<count).map { HandoffContents.File("\($0)", at: missing) }
            #expect(throws: error) { try folder.write(files: files, schema: 1, from: Apps.lite, to: Apps.paid) }
        }
    }

    @Test("a manifest of 4 MiB is read, and a longer one isn't")
    func longManifest() async throws {
        let apps = try apps()
        let sent = try await apps.sender.sendToGroup()
        let place = shared(apps).appending(path: "Handoff/\(sent.transfer)/manifest.json")
        for (length, error) in [(4 << 20, nil), (4 << 20 + 1, HandoffError.invalidManifest)] {
            try Data(sent.json.padded(to: length).utf8).write(to: place)
            let manifest = try #require(try await apps.receiver.packages().first?.manifest)
            if let error { #expect(manifest == .failure(error)) } else { _ = try manifest.get() }
        }
    }

    @Test("of two handoffs at once each is whole, and the last one stays")
    func atOnce() async throws {
        let apps = try apps()
        let folder = HandoffFolder(in: shared(apps))
        var offers: [HandoffOffer] = []
        for round in 0..<8 {
            let source = apps.folder.appending(path: "source-\(round)")
            for name in ["a", "b", "c"] { try put("\(round)", at: name, in: source) }
            let files = ["a", "b", "c"].map { HandoffContents.File($0, at: source.appending(path: $0)) }
            let manifest = try folder.write(files: files, schema: 1, from: Apps.lite, to: Apps.paid)
            offers.append(try await apps.receiver.open(manifest))
        }
        let documents = apps.documents
        try await withThrowingTaskGroup(of: Void.self) { group in
            for offer in offers { group.addTask { try await offer.install(into: documents).finish() } }
            try await group.waitForAll()
        }
        let texts = try ["a", "b", "c"].map { try String(contentsOf: documents.appending(path: $0), encoding: .utf8) }
        #expect(Set(texts).count == 1)
        #expect(Set(apps.installed) == ["a", "b", "c"])
    }
}
