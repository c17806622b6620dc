import DataHandoff
import Foundation
import ReferralBasics
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

/// The libraries' folders in one app: nothing that a package brings gets in.
@MainActor
struct RoomsTests {
    private struct Source: CatalogSource {
        func catalog() async throws(DownloadError) -> (body: Data, date: Date?) {
            (RoomsTests.catalog(revision: 2), nil)
        }

        func signature() async throws(DownloadError) -> Data { throw .status(404) }
    }

    private let route = HandoffRoute(
        from: "com.example.trestle.lite",
        to: "com.example.trestle",
        scheme: "trestle",
        returnScheme: "trestle-lite"
    )

    private nonisolated static func catalog(revision: Int) -> Data {
        let gold = #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]}"#
        return Data(#"{"format":1,"revision":\#(revision),"items":[\#(gold)]}"#.utf8)
    }

    /// Buys something and makes a code, with centers that keep their files in these folders, and passes them on while they run.
    private func run(
        _ unlocksFolder: URL,
        _ invitesFolder: URL,
        _ body: (UnlockCenter, InviteCenter) async throws -> Void
    ) async throws {
        let catalog = unlocksFolder.deletingLastPathComponent().appending(path: "Unlocks/catalog")
        try FileManager.default.createDirectory(
            at: catalog.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let loader = try CatalogLoader(bundledCatalog: Self.catalog(revision: 1), file: catalog, source: Source())
        let unlocks = UnlockCenter(
            store: ScriptedStore(products: [.init(id: "gold", price: "1 €")]),
            catalog: loader.current,
            loader: loader,
            folder: unlocksFolder,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: TestClock(skippingUpTo: 20).clock
        ) { delivery in
            try Data("gold".utf8).write(to: delivery.folder.appending(path: "board"))
        }
        unlocks.start()
        await until { unlocks.state(of: "gold") == .locked && unlocks.catalog.revision == 2 }
        #expect(try await unlocks.buy("gold-pack") == .bought)
        await until { unlocks.state(of: "gold").isUnlocked && unlocks.delivery == nil }
        await unlocks.refresh()
        await rest()
        let invites = InviteCenter(guestbook: InMemoryGuestbook(), programs: [.test], folder: invitesFolder)
        _ = try await invites.code()
        try await body(unlocks, invites)
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = URL.temporaryDirectory.appending(path: "rooms-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await body(folder)
    }

    /// The files in a folder, with their contents.
    private func files(in folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? Data(contentsOf: folder.appending(path: name))).map { (name, $0) }
            }
        )
    }

    /// Installs a file that a person has accepted.
    private func install(_ name: String, into destination: URL, storage: URL) async throws(HandoffError) {
        let receiver = try HandoffReceiver(route, schemas: 1...1, storage: storage, sealing: .unsealed)
        let file = storage.appending(path: "\(UUID().uuidString).handoff")
        let files = [(name: name, contents: Data("forged".utf8))]
        let package = try HandoffPackage(files: files, schema: 1, from: route.sender, to: route.receiver)
        do { try package.bytes().write(to: file) } catch { throw .appFailed("\(error)") }
        _ = try await receiver.receive(fileAt: file).install(into: destination, replacing: true)
    }

    @Test(
        "no package replaces what a library has written in the folders that the documentation names",
        arguments: [("Unlocks", "Invitations"), ("Data/a/Unlocks", "Data/b/Invitations")]
    )
    func attack(_ unlocks: String, _ invitations: String) async throws {
        try await withFolder { folder in
            let storage = folder.deletingLastPathComponent().appending(path: "storage-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: storage, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: storage) }
            try await run(folder.appending(path: unlocks), folder.appending(path: invitations)) { _, _ in
                let before = try files(in: folder)
                let own = before.keys
                #expect(own.contains(unlocks + "/journal") && own.contains(invitations + "/invites.json"))
                #expect(own.contains { $0.hasPrefix(unlocks + "/content/") })
                #expect(own.contains { $0.hasSuffix("Unlocks/catalog") })
                for name in own.flatMap({ [$0, $0.uppercased()] }) {
                    await #expect(throws: HandoffError.invalidName(name)) {
                        try await install(name, into: folder, storage: storage)
                    }
                    // As if the folder were the destination, or one further in.
                    let inner = name.drop { $0 != "/" }.dropFirst()
                    let outer = folder.appending(path: String(name.prefix { $0 != "/" }))
                    guard FileManager.default.fileExists(atPath: outer.path) else { continue }
                    await #expect(throws: HandoffError.invalidName(String(inner))) {
                        try await install(String(inner), into: outer, storage: storage)
                    }
                }
                let after = try files(in: folder)
                #expect(Set(after.keys) == Set(before.keys))
                for (name, content) in after { #expect(content == before[name], "\(name)") }
                try await install("boards/gold", into: folder, storage: storage)
            }
        }
    }

    @Test("no source names a file that isn't in the list, but the one beside an item's content")
    func sources() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        var names: Set<String> = []
        for module in ["Unlocks", "ReferralInvitations", "ReferralBasics", "ReferralBridge", "ReferralClip"] {
            let folder = sources.appending(path: module)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where path.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                let named = text.matches(of: /(?:appendingPathComponent|appending|url)\("([^"\\]+)/)
                // A name whose end is made.
                names.formUnion(named.map { $0.1.hasSuffix(".") ? $0.1 + "x" : String($0.1) })
            }
        }
        #expect(names.isSuperset(of: ["journal", "invites.json", "clip.json"]))
        let unlisted = names.filter { name in
            !LibraryFiles.names.keys.contains { $0 == name || LibraryFiles.isReached(by: $0 + "/" + name) }
        }
        #expect(unlisted == ["list"])
    }

}
