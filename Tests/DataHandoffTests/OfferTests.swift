import DataHandoff
import Foundation
import ReferralBridge
import TestSupport
import Testing

/// An offer is decided once, whoever tries at the same time.
struct OfferTests {
    private func staged(_ apps: Apps) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: apps.staged.path)
    }

    /// Expects that each decision fails and changes nothing.
    private func expectDecided(_ offer: HandoffOffer, _ documents: URL) async {
        await #expect(throws: HandoffError.alreadyDecided) { try await offer.install(into: documents) }
        await #expect(throws: HandoffError.alreadyDecided) {
            try await offer.merge { _ in Issue.record("the files are merged twice") }
        }
        await #expect(throws: HandoffError.alreadyDecided) { try await offer.decline() }
    }

    @Test("of two installations at once, one fails, and the files that were there before are still kept")
    func installTwice() async throws {
        let apps = try Apps()
        try Data("two boards".utf8).write(to: apps.documents.appending(path: "boards.sqlite"))
        let (offer, documents) = (try await apps.offer(), apps.documents)
        let results = await withTaskGroup(of: Result<HandoffReceipt, any Error>.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do { return .success(try await offer.install(into: documents)) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let receipts = results.compactMap { try? $0.get() }
        #expect(receipts.count == 1)
        #expect(apps.file == "fourteen boards")
        #expect(try await apps.receiver.recover(in: documents).receipts.count == 1)
        await expectDecided(offer, documents)
        #expect(try await apps.receiver.recover(in: documents).receipts.count == 1)
        try receipts.first?.finish()
        #expect(try await apps.receiver.recover(in: documents).receipts.isEmpty)
    }

    @Test("while the app's own code has the files, nothing else gets them")
    func mergeTwice() async throws {
        let apps = try Apps()
        let (offer, documents) = (try await apps.offer(), apps.documents)
        _ = try await offer.merge { folder in
            await self.expectDecided(offer, documents)
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "boards.sqlite").path()))
        }
        await expectDecided(offer, documents)
    }

    @Test("what the app's own code did to the files before it failed isn't installed", arguments: [true, false])
    func changedByMerge(isRemoved: Bool) async throws {
        struct Full: Error {}
        let apps = try Apps()
        let offer = try await apps.offer()
        await #expect(throws: HandoffError.appFailed("Full()")) {
            try await offer.merge { folder in
                let file = folder.appending(path: "boards.sqlite")
                try FileManager.default.removeItem(at: file)
                if !isRemoved { try Data("FOURTEEN BOARDS".utf8).write(to: file) }
                throw Full()
            }
        }
        await #expect(throws: HandoffError.corrupt) { try await offer.install(into: apps.documents) }
        await #expect(throws: HandoffError.corrupt) { try await offer.merge { _ in Issue.record("merged") } }
        #expect(apps.installed == [])
        try await offer.decline()
        await expectDecided(offer, apps.documents)
        #expect(try staged(apps) == [])
    }

    @Test("a recovery removes what an ended process has staged, and nothing that another process may be working on")
    func otherProcess() async throws {
        let apps = try Apps()
        let kept = try await apps.offer()
        let ended = Process()
        ended.executableURL = URL(filePath: "/usr/bin/env")
        ended.arguments = ["true"]
        try ended.run()
        ended.waitUntilExit()
        // The first process of a system never ends. A process identifier may come again, as this process's does here.
        let own = ProcessInfo.processInfo.processIdentifier
        let abandoned = [
            "\(ended.processIdentifier)-1-a", "\(own)-1-a", "0-1-a", "-1-1-a", "a", "-", "99999999999-1-a",
        ]
        for name in abandoned + ["1-1-a"] {
            try apps.put("1", at: "storage/DataHandoff/staged/\(name)/boards.sqlite")
        }
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try staged(apps).count == 2)
        #expect(try staged(apps).contains("1-1-a"))
        _ = try await kept.install(into: apps.documents)
        #expect(try staged(apps) == ["1-1-a"])
    }

    @Test("a package that claims to come from the future makes no other one older")
    func future() async throws {
        let apps = try Apps()
        for seconds in [9e12, 0.001, 0] {
            let created = apps.clock.now.advanced(by: seconds)
            let file = try apps.package([("a", Data("\(seconds)".utf8))], created: created)
            let offer = try await apps.receiver.receive(fileAt: file)
            #expect(!offer.isOlderThanAccepted)
            _ = try await offer.install(into: apps.documents)
        }
        apps.clock.milliseconds -= 1_000
        #expect(try await !apps.offer().isOlderThanAccepted, "the clock was wrong, not the package")
        apps.clock.milliseconds += 2_000
        let file = try await apps.sender.makeFile()
        apps.clock.milliseconds += 1_000
        #expect(try await !apps.receiver.receive(fileAt: file).isOlderThanAccepted, "it was made after the others came")
    }

    @Test("an old copy that was accepted all the same doesn't make a package newer than it was")
    func olderAccepted() async throws {
        let apps = try Apps()
        var files: [URL] = []
        for number in 1...3 {
            let file = apps.folder.appending(path: "\(number)")
            try FileManager.default.moveItem(at: await apps.sender.makeFile(), to: file)
            files.append(file)
            apps.clock.milliseconds += 60_000
        }
        for (file, isOlder) in [(files[2], false), (files[0], true), (files[1], true)] {
            let offer = try await apps.receiver.receive(fileAt: file)
            #expect(offer.isOlderThanAccepted == isOlder)
            #expect(!offer.wasAcceptedBefore)
            _ = try await offer.install(into: apps.documents)
            #expect(try await apps.receiver.receive(fileAt: file).wasAcceptedBefore)
        }
    }
}
