import DataHandoff
import Foundation
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Files take their places all or none, and nobody's file is lost, whatever was begun before.
struct InstallationTests {
    /// Root may look at everything.
    private static let isRoot = geteuid() == 0

    // MARK: Before the receipt is out

    @Test("installing again keeps what was there before, and both receipts")
    func again() async throws {
        let apps = try Apps()
        try apps.put("mine", at: "documents/a")
        let first = try await apps.offer(["a": "1"]).install(into: apps.documents)
        let second = try await apps.offer(["a": "2"]).install(into: apps.documents)
        #expect(try apps.contents() == ["a": "2"])
        let kept = try apps.installations.map { try String(contentsOf: $0.appending(path: "old/a"), encoding: .utf8) }
        #expect(Set(kept) == ["mine", "1"])
        #expect(try await apps.receiver.recover(in: apps.documents).receipts.count == 2)
        try first.finish()
        #expect(try await apps.receiver.recover(in: apps.documents).receipts.count == 1)
        try second.finish()
        try second.finish()
        #expect(try await apps.receiver.recover(in: apps.documents).receipts.isEmpty)
        #expect(apps.installations == [])
        #expect(apps.installed == ["a"])
    }

    @Test("a file that nobody may write is replaced, and stays so")
    func readOnly() async throws {
        let apps = try Apps()
        try apps.put("mine", at: "documents/a")
        let file = apps.documents.appending(path: "a")
        #if canImport(Darwin)
        var (excluded, values) = (file, URLResourceValues())
        values.isExcludedFromBackup = true
        try excluded.setResourceValues(values)
        #endif
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
        _ = try await apps.offer(["a": "1"]).install(into: apps.documents)
        #expect(try apps.contents() == ["a": "1"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o444)
    }

    @Test("an installation in one folder isn't undone in another one")
    func otherDestination() async throws {
        let apps = try Apps()
        try apps.putInPlace("a", of: try await apps.beginInstallation(["a": "1"]))
        let other = apps.folder.appending(path: "other")
        try apps.put("1", at: "other/a")
        _ = try await apps.receiver.recover(in: other)
        #expect(try Apps.tree(other) == ["a": Data("1".utf8)])
        #expect(try apps.contents() == ["a": "1"])
        try apps.link("link", to: "documents")
        _ = try await apps.receiver.recover(in: apps.folder.appending(path: "link"))
        #expect(try apps.contents() == [:])
    }

    @Test(
        "a journal that can't be read waits for the next launch, but not for the next installation",
        .enabled(if: !isRoot)
    )
    func unreadableJournal() async throws {
        let apps = try Apps()
        let folder = try await apps.beginInstallation(["a": "1"])
        let journal = folder.appending(path: "replacing.json").path
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: journal)
        await #expect(throws: HandoffError.self) { try await apps.receiver.recover(in: apps.documents) }
        let offer = try await apps.offer(["b": "2"])
        // As on a locked device, where nothing can be read.
        let staged = try #require(try FileManager.default.contentsOfDirectory(atPath: apps.staged.path).first)
        let file = apps.staged.appending(path: staged + "/b").path
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        await #expect(throws: HandoffError.self) { try await offer.install(into: apps.documents) }
        #expect(apps.installations == [folder])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        try await offer.install(into: apps.documents).finish()
        #expect(apps.installed == ["b"])
        let recovery = try await apps.receiver.recover(in: apps.documents)
        #expect(recovery.receipts.isEmpty)
        #expect(recovery.damaged.map(\.lastPathComponent) == [folder.lastPathComponent])
    }

    @Test("an installation is found again after the system has moved the app's container")
    func moved() async throws {
        let apps = try Apps()
        _ = try await apps.offer(["a": "1"]).install(into: apps.documents)
        let container = apps.folder.appending(path: "container")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        for name in ["storage", "documents"] {
            try FileManager.default.moveItem(
                at: apps.folder.appending(path: name),
                to: container.appending(path: name)
            )
        }
        let receiver = try apps.nextReceiver(in: container.appending(path: "storage"))
        let documents = container.appending(path: "documents")
        #expect(try await receiver.recover(in: documents).receipts.count == 1)
        #expect(try Apps.tree(documents) == ["a": Data("1".utf8)])
    }

    // MARK: After a crash

    @Test("a file that was added, changed or removed since the crash stays so", arguments: ["a", "b/c"])
    func changedSince(_ name: String) async throws {
        let apps = try Apps()
        // What can't be removed from elsewhere in the storage, as with a name that isn't UTF-8, doesn't matter.
        try apps.put("1", at: "storage/DataHandoff/staged/a/b")
        #expect(mkdir(Array(apps.staged.path.utf8CString.dropLast()) + [0x2F, 0x61, 0x2F, -1, 0], 0o700) == 0)
        try apps.put("mine", at: "documents/a")
        let folder = try await apps.beginInstallation(["a": "1", "b/c": "2", "e/f": "3"])
        try apps.putInPlace("e/f", of: folder)
        try apps.put("my new one", at: "documents/" + name)
        let before = try apps.contents()
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try apps.contents() == before.filter { !$0.key.hasPrefix("e") })
        #expect(apps.installations == [])
    }

    @Test("what is no longer needed is removed, wherever its destination is")
    func unused() async throws {
        let apps = try Apps()
        let folder = try await apps.beginInstallation(["a": "1"])
        let journal = folder.appending(path: "replacing.json")
        try FileManager.default.moveItem(at: journal, to: folder.appending(path: "unused.json"))
        _ = try await apps.receiver.recover(in: apps.folder.appending(path: "gone"))
        #expect(apps.installations == [])
        #expect(apps.installed == [])
    }

    @Test("a file that was in its place before the crash keeps what the app has written to it since")
    func changedInPlace() async throws {
        let apps = try Apps()
        let folder = try await apps.beginInstallation(["a": "1", "b": "2"])
        let file = apps.documents.appending(path: "a")
        try FileManager.default.linkItem(at: folder.appending(path: "new/a"), to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("M".utf8))
        try handle.close()
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try apps.contents() == ["a": "M"])
    }

    @Test("what was begun doesn't block the next installation")
    func undoneBefore() async throws {
        let apps = try Apps()
        try await apps.beginInstallation(["a": "1"])
        try apps.put("mine", at: "documents/a")
        try await apps.offer(["b": "2"]).install(into: apps.documents).finish()
        #expect(try apps.contents() == ["a": "mine", "b": "2"])
        #expect(apps.installations == [])
    }

    // MARK: The destination

    @Test(
        "a file in the place of the destination, or of a folder in it, stays",
        arguments: ["documents/a", "documents"]
    )
    func fileInPlace(_ path: String) async throws {
        let apps = try Apps()
        try apps.put("mine", at: "documents/a")
        let offer = try await apps.offer(["a/b": "1"])
        await #expect(throws: HandoffError.self) {
            try await offer.install(into: apps.folder.appending(path: path))
        }
        #expect(try apps.contents() == ["a": "mine"])
        #expect(apps.installations == [])
    }
}
