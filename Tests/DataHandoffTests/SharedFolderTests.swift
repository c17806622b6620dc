import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// What leaves the shared folder, and what stays.
struct SharedFolderTests {
    private func handoff(_ apps: Apps) -> URL { apps.folder.appending(path: "group/Handoff") }

    private func names(_ apps: Apps, in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: handoff(apps).appending(path: folder).path()).sorted()
    }

    /// Puts a folder into the shared one that was changed some seconds ago.
    private func put(_ name: String, age: TimeInterval, _ apps: Apps) throws {
        let folder = handoff(apps).appending(path: name)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "files/notes"),
            withIntermediateDirectories: true
        )
        try Data("half of it".utf8).write(to: folder.appending(path: "files/notes/a"))
        let date = Date(timeIntervalSinceNow: -age)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path())
    }

    private func install(_ apps: Apps) async throws {
        let manifest = try #require(try await apps.receiver.packages().first?.manifest.get())
        try await apps.receiver.open(manifest).install(into: apps.documents).finish()
    }

    @Test("only its age makes a package unfinished", arguments: [true, false])
    func age(isSender: Bool) async throws {
        let apps = try Apps(hasGroup: true)
        let day = 86_400.0
        for (name, age) in [("new", 0), ("late", day - 60), ("old", day + 60), ("soon", -3_600), ("never", -2 * day)] {
            try put(name + ".unfinished", age: age, apps)
        }
        try put("half.removed", age: 0, apps)
        // Neither is a name of ours.
        try put("unfinished", age: 2 * day, apps)
        try put("removed", age: 2 * day, apps)
        if isSender {
            let sent = try await apps.sender.sendToGroup()
            try HandoffFolder(in: apps.folder.appending(path: "group")).remove(sent)
        } else {
            _ = try await apps.receiver.recover(in: apps.documents)
        }
        let left = ["late.unfinished", "new.unfinished", "removed", "soon.unfinished", "unfinished"]
        #expect(try names(apps) == left)
        #expect(try names(apps, in: "new.unfinished/files/notes") == ["a"])
        #expect(try await apps.receiver.packages().map(\.name).sorted() == ["removed", "unfinished"])
    }

    @Test("a package that was declined stays, and so does one that couldn't be installed")
    func declined() async throws {
        let apps = try Apps(hasGroup: true)
        let sent = try await apps.sender.sendToGroup()
        try await apps.receiver.open(sent).decline()
        try Data("mine".utf8).write(to: apps.documents.appending(path: "boards.sqlite"))
        let offer = try await apps.receiver.open(sent)
        await #expect(throws: HandoffError.self) { try await offer.install(into: apps.documents, replacing: false) }
        #expect(try await apps.receiver.packages().map(\.name) == [sent.transfer])
        #expect(try await apps.sender.confirmations() == [])
    }

    @Test("a receipt that couldn't be written is written at the next launch", arguments: [true, false])
    func laterReceipt(isMerged: Bool) async throws {
        let apps = try Apps(hasGroup: true)
        let sent = try await apps.sender.sendToGroup()
        // A folder that isn't empty can't be replaced by a file, not even by root.
        try put(sent.transfer + "/receipt", age: 0, apps)
        let offer = try await apps.receiver.open(sent)
        let receipt = isMerged ? try await offer.merge { _ in } : try await offer.install(into: apps.documents)
        try receipt.finish()
        #expect(try await apps.sender.confirmations() == [])
        #expect(try names(apps, in: sent.transfer) == ["files", "manifest.json", "receipt"])
        try FileManager.default.removeItem(at: handoff(apps).appending(path: sent.transfer + "/receipt"))
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try await apps.sender.confirmations().map(\.isProven) == [true])
        #expect(try names(apps) == [])
    }

    @Test("a package with the identifier of another one confirms and removes nothing")
    func sameTransfer() async throws {
        let apps = try Apps(hasGroup: true)
        let sent = try await apps.sender.sendToGroup()
        let transfer = try #require(UUID(uuidString: sent.transfer))
        let file = try apps.package([("boards.sqlite", Data("other".utf8))], transfer: transfer)
        try await apps.receiver.receive(fileAt: file).install(into: apps.documents).finish()
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try await apps.receiver.packages().map(\.manifest) == [.success(sent)])
        #expect(try await apps.sender.confirmations() == [])
    }

    @Test("a receipt with another digest, or one that is no digest, confirms nothing", arguments: ["0", "", "long"])
    func forgedReceipt(_ text: String) async throws {
        let apps = try Apps(hasGroup: true)
        let sent = try await apps.sender.sendToGroup()
        let receipt = handoff(apps).appending(path: sent.transfer + "/receipt")
        let digest = text == "long" ? sent.digest + sent.digest : String(repeating: text, count: 64)
        try Data(digest.utf8).write(to: receipt)
        #expect(try await apps.sender.confirmations() == [])
    }

    @Test("a symbolic link is not a package, is not followed, and stays", arguments: [true, false])
    func link(hasReceipt: Bool) async throws {
        let apps = try Apps(hasGroup: true)
        let sent = try await apps.sender.sendToGroup()
        let offer = try await apps.receiver.open(sent)
        let (package, outside) = (handoff(apps).appending(path: sent.transfer), apps.folder.appending(path: "outside"))
        try FileManager.default.moveItem(at: package, to: outside)
        if hasReceipt { try Data(sent.digest.utf8).write(to: outside.appending(path: "receipt")) }
        try apps.link("group/Handoff/" + sent.transfer, to: "outside")
        let before = try Apps.tree(outside)
        #expect(try await apps.receiver.packages().map(\.manifest) == [.failure(.notAPackage)])
        #expect(try await apps.sender.confirmations() == [])
        try await offer.install(into: apps.documents).finish()
        _ = try await apps.receiver.recover(in: apps.documents)
        _ = try await apps.sender.confirmations()
        #expect(try Apps.tree(outside) == before)
        #expect(try names(apps) == [sent.transfer])
    }
}
