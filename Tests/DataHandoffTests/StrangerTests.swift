import DataHandoff
import Foundation
import ReferralBridge
import TestSupport
import Testing

/// Whatever a package or a file in the storage says, nothing but the destination is touched.
struct StrangerTests {
    // MARK: Names

    private static let ownNames = [
        ".handoff/x/journal.json", ".handoff", ".HANDOFF/x", ".handoﬀ/x", ".h\u{200C}andoff/x", "\u{FEFF}.handoff/x",
        "DataHandoff/receiver.json", ".handoff./x", "datahandoff", "DATAHANDOFF/staged/x", "Data\u{AD}Handoff/x",
        // The other libraries' files.
        "Unlocks/journal", "UNLOCKS/journal.new", "Unlocks./jour\u{200C}nal", "Unlocks/Content/purchase-1/board",
        "Invitations/invites.json", "invitations/invites.lock",
        "ReferralBridge/clip.json",
    ]

    @Test("no file is named as a file of a library, in any folding", arguments: ownNames)
    func namedAsOurs(_ name: String) async throws {
        #expect(throws: HandoffError.invalidName(name)) {
            try HandoffPackage(files: [(name, Data())], schema: 1, from: Apps.lite, to: Apps.paid)
        }
        // The same package, written by somebody else.
        let other = "x" + name.dropFirst()
        let package = try HandoffPackage(files: [(other, Data())], schema: 1, from: Apps.lite, to: Apps.paid).bytes()
        let manifest = Data(String(decoding: package[10...], as: UTF8.self).replacing(other, with: name).utf8)
        let length = [0, 0, UInt8(manifest.count >> 8), UInt8(manifest.count & 0xFF)]
        #expect(throws: HandoffError.invalidName(name)) {
            try HandoffPackage(bytes: package.prefix(6) + length + manifest)
        }
    }

    @Test(
        "nothing is installed into the storage or among the packages, even if they are in the destination",
        arguments: [
            "storage/DataHandoff/receiver.json", "STORAGE/datahandoff/x", "storage/DataHandoff",
            "group/Handoff/x/receipt", "storage/DataHandoff/\u{301}x", "group/Handoff/\u{301}x",
        ]
    )
    func storageInDestination(_ name: String) async throws {
        let apps = try Apps(hasGroup: true)
        try apps.put("", at: "group/Handoff/x/manifest.json")
        let offer = try await apps.offer([name: "forged", "a": "1"])
        let before = try Apps.tree(apps.folder)
        await #expect(throws: HandoffError.invalidName(name)) { try await offer.install(into: apps.folder) }
        #expect(try Apps.tree(apps.folder).filter { $0.key != "storage/DataHandoff/installations" } == before)
        try await apps.offer(["storage/mine": "1"]).install(into: apps.folder).finish()
        #expect(try String(contentsOf: apps.folder.appending(path: "storage/mine"), encoding: .utf8) == "1")
        // Nor is anything undone there.
        _ = try await apps.offer(["a": "1"]).install(into: apps.folder)
        let folder = try #require(apps.installations.first)
        let installed = folder.appending(path: "installed.json")
        let journal = try String(contentsOf: installed, encoding: .utf8)
            .replacing(#""name":"a""#, with: #""name":"\#(name)""#)
        try Data(journal.utf8).write(to: folder.appending(path: "replacing.json"))
        try FileManager.default.removeItem(at: installed)
        #expect(try await apps.receiver.recover(in: apps.folder).damaged.count == 1)
    }

    @Test("nothing is installed among the packages before there are any", arguments: ["group", "", "missing/group"])
    func noPackagesYet(_ shared: String) async throws {
        let apps = try Apps { route, folder in
            route.group = URL(fileURLWithPath: folder.path + "/" + shared)
        }
        let destination = apps.folder.appending(path: shared.hasPrefix("missing") ? "" : shared)
        let name =
            (shared.hasPrefix("missing") ? shared + "/" : "") + "Handoff/3f2504e0-4f89-41d3-9a0c-0305e82c3301/receipt"
        let offer = try await apps.offer([name: "forged", "a": "1"])
        await #expect(throws: HandoffError.invalidName(name)) { try await offer.install(into: destination) }
        #expect(!FileManager.default.fileExists(atPath: destination.path + "/" + name))
        try await apps.offer(["Handoff.txt": "1"]).install(into: destination).finish()
    }

    // MARK: Journals

    private static let damages: [(String, String)] = [
        (#""name":"a""#, #""name":"..\/keys.db""#), (#""name":"a""#, #""name":"\/etc\/x""#),
        (#""name":"a""#, #""name":".handoff\/x""#), (#""name":"a""#, #""name":"c\/b""#),
        (#""name":"a""#, #""name":"""#),
        (#""length":1"#, #""length":-1"#), (#""length":1"#, #""length":1e300"#), (#""length":1"#, #""length":"1""#),
        (#""sha256":"#, #""sha256":"x","x":"#), (#""folders":["c"]"#, #""folders":[".."]"#),
        (#""folders":["c"]"#, #""folders":["d"]"#), (#""folders":["c"]"#, #""folders":["c\/..\/..\/lite"]"#),
        (#""companions":[]"#, #""companions":["..\/keys.db-wal"]"#), (#""companions":[]"#, #""companions":["a"]"#),
        (#""note":""#, #""note":"?"#), ("{", ""), ("{", "[{"),
        (#""destination":""#, #""destination":"\#(String(repeating: "n", count: 256))\/"#),
        (#""destination":""#, #""destination":"\/"#),
        (#""kept":{"#, #""kept":{"b":{"length":-1,"seconds":0,"nanoseconds":0},"#), (#""kept":{"#, #""kept":{"b":1,"#),
        (#""kept":{"#, #""kept":{"b":{"length":1,"seconds":1e300,"nanoseconds":0},"#),
        // Hashing such a text takes minutes, since Swift sorts its marks.
        (#""folders":["c"]"#, #""folders":["c","MARKS"]"#), ("{", #"{"MARKS":1,"#),
        (#""kept":{"#, #""kept":{"MARKS":{"length":1,"seconds":1,"nanoseconds":1},"#),
        (#""note":"#, #""x":[{"MARKS":1}],"note":"#),
    ]

    /// Marks of two combining classes in turn.
    private static let marks = String(repeating: "\u{301}\u{323}", count: 500_000)

    @Test(
        "a journal that says anything else than a package may is set aside, reported, and blocks nothing",
        .endsIfHung,
        arguments: damages
    )
    func damagedJournal(_ old: String, _ new: String) async throws {
        let apps = try Apps()
        try apps.put("mine", at: "keys.db")
        try apps.put("mine", at: "documents/a")
        let folder = try await apps.beginInstallation(["a": "1", "c/b": "1"]) { json in
            let whole = json
            let new = new.replacing("MARKS", with: Self.marks)
            json = json.replacing(old, with: new, maxReplacements: 1)
            #expect(!json.utf8.elementsEqual(whole.utf8))
        }
        try apps.put("theirs", at: "storage/DataHandoff/installations/keys.db")
        let inside = try Apps.tree(folder)
        let around = try Apps.tree(apps.folder).filter { !$0.key.hasPrefix("storage/") }
        let recovery = try await apps.receiver.recover(in: apps.documents)
        #expect(recovery.damaged.map(\.lastPathComponent) == [folder.lastPathComponent])
        #expect(try Apps.tree(apps.folder).filter { !$0.key.hasPrefix("storage/") } == around)
        #expect(try Apps.tree(#require(recovery.damaged.first)) == inside, "a person may still look at it")
        try await apps.offer(["b": "2"]).install(into: apps.documents).finish()
        #expect(Set(apps.installed) == ["a", "b"])
        #expect(try await apps.receiver.recover(in: apps.documents).damaged.count == 1)
        try FileManager.default.removeItem(at: #require(recovery.damaged.first))
        #expect(try await apps.receiver.recover(in: apps.documents).damaged.isEmpty)
    }

    @Test("if a file has taken a folder's place, nothing is changed, and what was there before is set aside")
    func fileInFolder() async throws {
        let apps = try Apps()
        for name in ["a", "pictures/1"] { try apps.put("mine", at: "documents/" + name) }
        let folder = try await apps.beginInstallation(["a": "1", "pictures/1": "1"])
        try apps.putInPlace("a", of: folder)
        try FileManager.default.removeItem(at: apps.documents.appending(path: "pictures"))
        try apps.put("my file", at: "documents/pictures")
        let recovery = try await apps.receiver.recover(in: apps.documents)
        #expect(recovery.receipts.isEmpty)
        #expect(try Apps.tree(apps.documents) == ["a": Data("1".utf8), "pictures": Data("my file".utf8)])
        let aside = try #require(recovery.damaged.first)
        let kept = try Apps.tree(aside.appending(path: "old"))
        #expect(kept["a"] == Data("mine".utf8) && kept["pictures/1"] == Data("mine".utf8))
        try await apps.offer(["b": "2"]).install(into: apps.documents).finish()
        #expect(try await apps.receiver.recover(in: apps.documents).damaged == [aside])
    }

    @Test("an installation sets a damaged journal aside too, and a folder or a link in its place")
    func otherJournals() async throws {
        let apps = try Apps()
        try apps.put("{}", at: "journal")
        try apps.put("{", at: "storage/DataHandoff/installations/1/replacing.json")
        try apps.put("x", at: "storage/DataHandoff/installations/2/replacing.json/x")
        try apps.put("x", at: "storage/DataHandoff/installations/3/x")
        try apps.link("storage/DataHandoff/installations/3/replacing.json", to: "journal")
        try apps.put("x", at: "storage/DataHandoff/installations/4/new/x")
        try await apps.offer(["a": "1"]).install(into: apps.documents).finish()
        #expect(apps.installed == ["a"])
        #expect(apps.installations == [])
        let damaged = try await apps.receiver.recover(in: apps.documents).damaged
        #expect(damaged.map(\.lastPathComponent) == ["1", "2", "3"])
        try apps.put("[", at: "storage/DataHandoff/installations/1/replacing.json")
        #expect(try await apps.receiver.recover(in: apps.documents).damaged.count == 4)
    }

    // MARK: Symbolic links

    @Test("a symbolic link in the destination leads nowhere")
    func linkInDestination() async throws {
        let apps = try Apps()
        try apps.put("mine", at: "outside/a")
        try apps.link("documents/link", to: "outside")
        for name in ["link/a", "link/b", "link/c/d", "link"] {
            let offer = try await apps.offer([name: "theirs", "z": "1"])
            await #expect(throws: HandoffError.self) { try await offer.install(into: apps.documents) }
        }
        #expect(try Apps.tree(apps.folder.appending(path: "outside")) == ["a": Data("mine".utf8)])
        #expect(apps.installed == ["link"])
        #expect(apps.installations == [])
    }

    @Test(
        "a symbolic link among the files of an installation leads nowhere",
        arguments: ["new", "old", "new/c", "new/a"]
    )
    func linkInStorage(_ name: String) async throws {
        let apps = try Apps()
        try apps.put("mine", at: "documents/a")
        for path in ["a", "c/b", "b"] { try apps.put("1", at: "outside/" + path) }
        let folder = try await apps.beginInstallation(["a": "1", "c/b": "1"])
        try FileManager.default.removeItem(at: folder.appending(path: name))
        let link = "storage/DataHandoff/installations/\(folder.lastPathComponent)/\(name)"
        try apps.link(link, to: name.hasSuffix("a") ? "outside/a" : "outside")
        let outside = try Apps.tree(apps.folder.appending(path: "outside"))
        _ = try? await apps.receiver.recover(in: apps.documents)
        #expect(try Apps.tree(apps.folder.appending(path: "outside")) == outside)
        #expect(try Apps.tree(apps.documents) == ["a": Data("mine".utf8)])
    }

    @Test(
        "a symbolic link in the place of a folder of the storage leads nowhere",
        arguments: ["", "/staged", "/installations", "/damaged"]
    )
    func linkToStorage(_ name: String) async throws {
        let apps = try Apps()
        let names = ["a", "receiver.json", "1/journal.json"]
        for name in names { try apps.put("mine", at: "outside/" + name) }
        let outside = try Apps.tree(apps.folder.appending(path: "outside"))
        try? FileManager.default.removeItem(atPath: apps.storage.path + name)
        try apps.link("storage/DataHandoff" + name, to: "outside")
        let receiver = try apps.nextReceiver()
        _ = try await receiver.recover(in: apps.documents)
        let offer = try await receiver.receive(fileAt: apps.sender.makeFile())
        try apps.put("{", at: "storage/DataHandoff/installations/1/replacing.json")
        try await offer.install(into: apps.documents).finish()
        #expect(try await receiver.recover(in: apps.documents).damaged.count == 1)
        #expect(try Apps.tree(apps.folder.appending(path: "outside")) == outside)
    }
}
