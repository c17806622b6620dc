import DataHandoff
import Foundation
import Testing

/// What SQLite keeps beside a database goes with it, and nothing that only has such a name does.
struct DatabaseTests {
    private static let database = "SQLite format 3\0 and its pages"

    @Test("files and folders with such names stay beside what is new, or wasn't a database", arguments: [true, false])
    func others(replacing: Bool) async throws {
        let apps = try Apps()
        try apps.put("mine", at: "documents/trip-journal/day 1")
        try apps.put("mine", at: "documents/work-wal")
        try apps.put("mine", at: "documents/home-shm")
        if replacing {
            try apps.put("work, not a database", at: "documents/work")
            try apps.put(Self.database, at: "documents/trip")
        }
        let before = try apps.contents()
        let offer = try await apps.offer(["trip": "1", "work": "2", "home": "3"])
        try await offer.install(into: apps.documents, replacing: replacing).finish()
        let new = ["trip": "1", "work": "2", "home": "3"]
        #expect(try apps.contents() == before.merging(new) { $1 })
    }

    @Test(
        "a new database isn't put beside what SQLite would take for a part of it",
        arguments: ["x-wal", "x-journal", "x-shm"]
    )
    func orphans(_ name: String) async throws {
        let apps = try Apps()
        try apps.put("not empty", at: "documents/" + name)
        let offer = try await apps.offer(["x": Self.database])
        await #expect(throws: HandoffError.fileExists(name)) { try await offer.install(into: apps.documents) }
        #expect(try apps.contents() == [name: "not empty"])
        try apps.put("", at: "documents/" + name)
        try await offer.install(into: apps.documents).finish()
        #expect(try apps.contents() == [name: "", "x": Self.database])
    }

    @Test(
        "a companion in the package is a file as any other, and the old one goes, in any letter case",
        arguments: ["x-wal", "X-WAL", "x-WAL", "x-JOURNAL"]
    )
    func companionInPackage(_ name: String) async throws {
        let apps = try Apps()
        try apps.put(Self.database, at: "documents/x")
        try apps.put("mine", at: "documents/" + name.lowercased())
        try await apps.offer(["x": Self.database, name: "1"]).install(into: apps.documents).finish()
        #expect(try apps.contents() == ["x": Self.database, name: "1"])
    }

    @Test(
        "a log or a rollback journal isn't put beside a file that the package doesn't contain",
        arguments: ["x-wal", "x-journal", "x-shm", "x-\u{17F}hm", "\u{600}-wal"],
        [true, false]
    )
    func companionAlone(_ name: String, replacing: Bool) async throws {
        let apps = try Apps()
        let base = name.hasPrefix("x") ? "x" : "\u{600}"
        try apps.put(Self.database, at: "documents/" + base)
        let before = try apps.contents()
        // A file that only differs in letter case is another one, unless the file system says otherwise.
        let isSensitive = !FileManager.default.fileExists(atPath: apps.documents.appending(path: "X").path)
        for files in [[name: "theirs"]] + (isSensitive ? [[name: "theirs", "X": "theirs"]] : []) {
            let offer = try await apps.offer(files)
            await #expect(throws: HandoffError.fileExists(base)) {
                try await offer.install(into: apps.documents, replacing: replacing)
            }
            #expect(try apps.contents() == before)
        }
        try apps.put("mine", at: "documents/" + name)
        await #expect(throws: HandoffError.fileExists(replacing ? base : name)) {
            try await apps.offer([name: "theirs"]).install(into: apps.documents, replacing: replacing)
        }
        #expect(try apps.contents() == before.merging([name: "mine"]) { $1 })
        #expect(apps.installations == [])
    }

    @Test("after a crash the companions of a database come back with it, and one that is new since then stays")
    func crash() async throws {
        let apps = try Apps()
        for name in ["x", "x-wal", "y", "y-wal"] { try apps.put(Self.database, at: "documents/" + name) }
        let before = try apps.contents()
        let folder = try await apps.beginInstallation(["x": Self.database + " new", "y": Self.database + " new"])
        for name in ["x-wal", "y-wal"] { try FileManager.default.removeItem(at: apps.documents.appending(path: name)) }
        try apps.putInPlace("x", of: folder)
        try apps.put("with my last changes", at: "documents/y-wal")
        #expect(try await apps.receiver.recover(in: apps.documents).receipts.isEmpty)
        #expect(try apps.contents() == before.merging(["y-wal": "with my last changes"]) { $1 })
        #expect(apps.installations == [])
    }

    @Test("a log that the app has since added to its database isn't put back beside it", arguments: [false, true])
    func checkpointed(isInPackage: Bool) async throws {
        let apps = try Apps()
        try apps.put(Self.database, at: "documents/x")
        try apps.put("mine", at: "documents/x-wal")
        let log = isInPackage ? ["x-wal": ""] : [:]
        try await apps.beginInstallation(["x": Self.database + " new"].merging(log) { $1 })
        try apps.put(Self.database + " with the log", at: "documents/x")
        try FileManager.default.removeItem(at: apps.documents.appending(path: "x-wal"))
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try apps.contents() == ["x": Self.database + " with the log"])
    }

    @Test("a database with a log or a rollback journal isn't sent, by any carrier", arguments: ["-wal", "-journal"])
    func sending(_ suffix: String) async throws {
        let files = ["x": Data(Self.database.utf8), "x" + suffix: Data("2".utf8)]
        let apps = try Apps(hasGroup: true, files: files)
        await #expect(throws: HandoffError.openDatabase("x")) { try await apps.sender.sendToGroup() }
        await #expect(throws: HandoffError.openDatabase("x")) { try await apps.sender.makeFile() }
        try Data().write(to: apps.folder.appending(path: "lite/x" + suffix))
        _ = try await apps.sender.sendToGroup()
    }
}
