import DataHandoff
import Foundation
import ReferralBridge
import TestSupport
import Testing

/// Packages in a folder that both apps share.
struct FolderTests {
    private func shared(_ apps: Apps) -> URL { apps.folder.appending(path: "group") }

    private func contents(_ folder: URL) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path()))
    }

    @Test("what isn't a package is skipped with a reason, and stays")
    func foreign() async throws {
        let apps = try Apps(hasGroup: true)
        let sent = try await apps.sender.sendToGroup()
        let transfer = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        try apps.put("somebody's", at: "group/Handoff/a file")
        try apps.put("somebody's", at: "group/Handoff/a folder/manifest.txt")
        try apps.put("{", at: "group/Handoff/garbage/manifest.json")
        try apps.put(sent.json, at: "group/Handoff/renamed/manifest.json")
        try apps.put("half of it", at: "group/Handoff/\(transfer).unfinished/files/a")
        let other = try HandoffManifest(
            transfer: #require(UUID(uuidString: transfer)),
            created: Timestamp(milliseconds: 1),
            from: Apps.lite,
            to: Apps.paid,
            schema: 1,
            files: [.init(name: "boards.sqlite", length: 2, sha256: String(repeating: "0", count: 64))]
        )
        try apps.put(other.json, at: "group/Handoff/\(transfer)/manifest.json")
        let before = try contents(shared(apps))
        func reasons() async throws -> [String: HandoffError] {
            var reasons: [String: HandoffError] = [:]
            for package in try await apps.receiver.packages() {
                if case .failure(let error) = package.manifest { reasons[package.name] = error }
            }
            return reasons
        }
        let expected: [String: HandoffError] = [
            "a file": .notAPackage, "a folder": .notAPackage, "garbage": .invalidManifest, "renamed": .invalidManifest,
            transfer: .truncated,
        ]
        #expect(try await reasons() == expected)
        #expect(try await apps.receiver.packages().first?.name == sent.transfer)
        try apps.put("12", at: "group/Handoff/\(transfer)/files/boards.sqlite")
        #expect(try await reasons()[transfer] == nil)
        await #expect(throws: HandoffError.corrupt) { try await apps.receiver.open(other) }
        try apps.put("123", at: "group/Handoff/\(transfer)/files/boards.sqlite")
        #expect(try await reasons()[transfer] == .trailingBytes)
        #expect(try contents(shared(apps)).isSuperset(of: before))

        try HandoffFolder(in: shared(apps)).removeUnfinished()
        #expect(try contents(shared(apps)).isSuperset(of: before))
    }

    @Test("once the newest package has arrived, nobody can read the older ones, and the others stay")
    func superseded() async throws {
        let apps = try Apps(hasGroup: true)
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
            try apps.put(manifest.json, at: "group/Handoff/" + manifest.transfer + "/manifest.json")
            try apps.put(text, at: "group/Handoff/" + manifest.transfer + "/files/a")
            return manifest.transfer
        }
        let arrived = try package(1)
        try apps.put(String(repeating: "0", count: 64), at: "group/Handoff/" + arrived + "/receipt")
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
        let apps = try Apps(hasGroup: true)
        let older = try await apps.sender.sendToGroup()
        apps.clock.milliseconds += 1_000
        var delivery = try await apps.delivery()
        delivery.carrier = isLink ? .link : .file
        let offer: HandoffOffer
        switch try await delivery.send() {
        case .open(let url): offer = try await apps.offer(at: url)
        case .share(let file): offer = try await apps.receiver.receive(fileAt: file)
        }
        try await offer.install(into: apps.documents).finish()
        // A file may be another device's, so what waits here isn't lost with it.
        #expect(try await apps.receiver.packages().map(\.name) == (isLink ? [] : [older.transfer]))
    }
}
