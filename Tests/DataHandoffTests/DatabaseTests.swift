import DataHandoff
import Foundation
import Testing

/// What SQLite keeps beside a database goes with it, and nothing that only has such a name does.
struct DatabaseTests {
    private static let database = "SQLite format 3\0 and its pages"

    private func contents(_ apps: Apps) throws -> [String: String] {
        try Apps.tree(apps.documents).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a replaced database takes its companions along, and they stay beside its backup")
    func companions() async throws {
        let apps = try Apps()
        try apps.put(Self.database, at: "documents/x")
        for suffix in ["-wal", "-shm", "-journal"] { try apps.put("mine", at: "documents/x" + suffix) }
        let receipt = try await apps.offer(["x": Self.database + " new"]).install(into: apps.documents)
        #expect(try contents(apps) == ["x": Self.database + " new"])
        let old = try #require(apps.installations.first).appending(path: "old")
        #expect(Set(try Apps.tree(old).keys) == ["x", "x-wal", "x-shm", "x-journal"])
        try receipt.finish()
    }

    /// How SQLite begins a write-ahead log, in either byte order, and a rollback journal, also of an encrypted database.
    private static let logs: [(String, [UInt8])] = [
        ("-wal", [0x37, 0x7F, 0x06, 0x82]), ("-wal", [0x37, 0x7F, 0x06, 0x83]),
        ("-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]),
    ]

    @Test("an encrypted database is known by its log, which goes with it", arguments: logs)
    func encrypted(_ suffix: String, _ header: [UInt8]) async throws {
        let apps = try Apps()
        try apps.put("no header", at: "documents/x")
        let log = Data(header + [UInt8](repeating: 0xEE, count: 40))
        try apps.put(log, at: "documents/x" + suffix)
        try apps.put("an index", at: "documents/x-shm")
        let before = try Apps.tree(apps.documents)
        let receipt = try await apps.offer(["x": "another"]).install(into: apps.documents)
        #expect(try contents(apps) == ["x": "another"])
        let old = try #require(apps.installations.first).appending(path: "old")
        #expect(try Apps.tree(old) == before)
        try receipt.finish()

        // After a crash, too, also if the log is new since then.
        try apps.put(log, at: "documents/x" + suffix)
        try await apps.beginInstallation(["x": "a third"])
        try await #require(apps.receiver.recover(in: apps.documents).receipts.first).finish()
        #expect(try contents(apps) == ["x": "a third"])
        try await apps.beginInstallation(["x": "a fourth"])
        try apps.put(log, at: "documents/x" + suffix)
        await #expect(throws: HandoffError.fileExists("x" + suffix)) {
            try await apps.receiver.recover(in: apps.documents)
        }
        #expect(try Set(contents(apps).keys) == ["x", "x" + suffix])
        #expect(try contents(apps)["x"] == "a third")
    }

    @Test("what is new isn't put beside the log of an encrypted database that is gone", arguments: logs)
    func encryptedOrphan(_ suffix: String, _ header: [UInt8]) async throws {
        let apps = try Apps()
        try apps.put(Data(header + [0]), at: "documents/x" + suffix)
        let offer = try await apps.offer(["x": "no header"])
        await #expect(throws: HandoffError.fileExists("x" + suffix)) { try await offer.install(into: apps.documents) }
        // Too short for a log.
        try apps.put(Data(header.dropLast()), at: "documents/x" + suffix)
        try await offer.install(into: apps.documents).finish()
    }

    @Test("a journal whose header is zero isn't rolled back, so it is in nobody's way")
    func persistentJournal() async throws {
        let journal = Data(count: 512) + Data("what a transaction has left".utf8)
        let apps = try Apps(files: ["x": Data(Self.database.utf8), "x-journal": journal]) { route, folder in
            route.group = folder.appending(path: "group")
        }
        _ = try await apps.sender.sendToGroup()
        _ = try await apps.sender.makeFile()

        try apps.put(journal, at: "documents/y-journal")
        try await apps.offer(["y": Self.database]).install(into: apps.documents).finish()
        #expect(try contents(apps)["y"] == Self.database)
        // With the database that it belongs to, it goes.
        try await apps.offer(["y": Self.database + " new"]).install(into: apps.documents).finish()
        #expect(try contents(apps) == ["y": Self.database + " new"])
    }

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
        let before = try contents(apps)
        let offer = try await apps.offer(["trip": "1", "work": "2", "home": "3"])
        try await offer.install(into: apps.documents, replacing: replacing).finish()
        let new = ["trip": "1", "work": "2", "home": "3"]
        #expect(try contents(apps) == before.merging(new) { $1 })
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
        #expect(try contents(apps) == [name: "not empty"])
        try apps.put("", at: "documents/" + name)
        try await offer.install(into: apps.documents).finish()
        #expect(try contents(apps) == [name: "", "x": Self.database])
    }

    @Test("a companion in the package is a file as any other, in any letter case", arguments: ["x-wal", "X-WAL"])
    func companionInPackage(_ name: String) async throws {
        let apps = try Apps()
        try apps.put(Self.database, at: "documents/x")
        try await apps.offer(["x": Self.database, name: "1"]).install(into: apps.documents).finish()
        #expect(try contents(apps) == ["x": Self.database, name: "1"])
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
        let before = try contents(apps)
        // A file that only differs in letter case is another one, unless the file system says otherwise.
        let isSensitive = !FileManager.default.fileExists(atPath: apps.documents.appending(path: "X").path)
        for files in [[name: "theirs"]] + (isSensitive ? [[name: "theirs", "X": "theirs"]] : []) {
            let offer = try await apps.offer(files)
            await #expect(throws: HandoffError.fileExists(base)) {
                try await offer.install(into: apps.documents, replacing: replacing)
            }
            #expect(try contents(apps) == before)
        }
        try apps.put("mine", at: "documents/" + name)
        await #expect(throws: HandoffError.fileExists(replacing ? base : name)) {
            try await apps.offer([name: "theirs"]).install(into: apps.documents, replacing: replacing)
        }
        #expect(try contents(apps) == before.merging([name: "mine"]) { $1 })
        #expect(apps.installations == [])
    }

    @Test(
        "a log in the package doesn't replace one whose name differs in letter case",
        arguments: ["x-wal", "x-journal"]
    )
    func companionInOtherCase(_ name: String) async throws {
        let apps = try Apps()
        try apps.put(Self.database, at: "documents/x")
        try apps.put("mine", at: "documents/" + name)
        try await apps.offer(["x": Self.database, name.uppercased().replacing("X", with: "x"): "1"])
            .install(into: apps.documents).finish()
        #expect(try contents(apps)[name] != "mine")
    }

    @Test("after a crash, a log isn't put beside a file that is new since then, nor a database beside such a log")
    func companionsSince() async throws {
        let apps = try Apps()
        for (new, other) in [("x-wal", "x"), ("x", "x-wal")] {
            try await apps.beginInstallation([new: Self.database])
            try apps.put("mine", at: "documents/" + other)
            await #expect(throws: HandoffError.fileExists(other)) {
                try await apps.receiver.recover(in: apps.documents)
            }
            #expect(try contents(apps) == [other: "mine"])
            #expect(apps.installations == [])
            try FileManager.default.removeItem(at: apps.documents.appending(path: other))
        }
    }

    @Test("after a crash the companions of a database go with it, and one that is new since then stays with it")
    func crash() async throws {
        let apps = try Apps()
        try apps.put(Self.database, at: "documents/x")
        try apps.put("mine", at: "documents/x-wal")
        try await apps.beginInstallation(["x": Self.database + " new"])
        try await #require(apps.receiver.recover(in: apps.documents).receipts.first).finish()
        #expect(try contents(apps) == ["x": Self.database + " new"])

        try apps.put("mine", at: "documents/x-wal")
        try await apps.beginInstallation(["x": Self.database])
        try apps.put("with my last changes", at: "documents/x-wal")
        let before = try contents(apps)
        await #expect(throws: HandoffError.fileExists("x-wal")) {
            try await apps.receiver.recover(in: apps.documents)
        }
        #expect(try contents(apps) == before)
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
        await #expect(throws: HandoffError.fileExists("x")) { try await apps.receiver.recover(in: apps.documents) }
        #expect(try contents(apps) == ["x": Self.database + " with the log"])
    }

    @Test("a database with a log or a rollback journal isn't sent, by any carrier", arguments: ["-wal", "-journal"])
    func sending(_ suffix: String) async throws {
        let apps = try Apps(files: ["x": Data(Self.database.utf8), "x" + suffix: Data("2".utf8)]) { route, folder in
            route.group = folder.appending(path: "group")
        }
        await #expect(throws: HandoffError.openDatabase("x")) { try await apps.sender.sendToGroup() }
        await #expect(throws: HandoffError.openDatabase("x")) { try await apps.sender.makeFile() }
        try Data().write(to: apps.folder.appending(path: "lite/x" + suffix))
        _ = try await apps.sender.sendToGroup()
    }

    @Test("a folder whose name looks like a rollback journal's doesn't matter")
    func folderBeside() async throws {
        let apps = try Apps(files: ["trip": Data("1".utf8)])
        try apps.put("mine", at: "lite/trip-journal/day 1")
        _ = try await apps.sender.makeFile()
    }
}
