import DataHandoff
import Foundation
import Testing

/// User defaults, from one app to the other.
struct DefaultsTests {
    private static let keys: Set = ["boards", "sort", "theme"]
    private static let sent: [String: DefaultsValue] = [
        "boards": .array([.string("Garden"), .string("Kitchen")]), "sort": .boolean(true), "theme": .string("dark"),
    ]

    /// Apps whose sender has user defaults, and whose receiver accepts some of them.
    private func apps(
        _ values: [String: DefaultsValue] = sent,
        sending: Set<String> = keys,
        accepting: Set<String>? = keys,
        into store: Settings = Settings(),
        files: [String: Data] = ["boards.sqlite": Data("fourteen boards".utf8)]
    ) throws -> Apps {
        try Apps(
            files: files,
            sending: HandoffDefaults(sending, store: Settings(values)),
            accepting: accepting.map { HandoffDefaults($0, store: store) }
        ) { route, folder in route.group = folder.appending(path: "group") }
    }

    private func offer(_ apps: Apps) async throws -> HandoffOffer {
        try await apps.receiver.receive(fileAt: apps.sender.makeFile())
    }

    /// A package with a property list that no sender makes.
    private func offer(_ apps: Apps, list: Data, names: [String] = [HandoffDefaults.fileName]) async throws
        -> HandoffOffer
    {
        let files = names.map { (name: $0, contents: list) }
        let package = try HandoffPackage(files: files, schema: 1, from: Apps.lite, to: Apps.paid)
        let file = apps.folder.appending(path: "package-\(UUID().uuidString)")
        try package.bytes().write(to: file)
        return try await apps.receiver.receive(fileAt: file)
    }

    // MARK: What travels

    @Test("the values of the keys that both apps name arrive with the files, on every carrier", arguments: 0...2)
    func carriers(carrier: Int) async throws {
        let store = Settings(["theme": .string("light"), "other": .integer(1)])
        let apps = try apps(
            sending: ["boards", "sort", "theme", "missing"],
            accepting: ["sort", "theme"],
            into: store
        )
        let offer: HandoffOffer
        switch carrier {
        case 0: offer = try await self.offer(apps)
        case 1: offer = try await apps.receiver.take(apps.sender.sendToGroup())
        default:
            guard case .request(var delivery) = try await apps.sender.receive(apps.receiver.request(), from: Apps.paid)
            else { throw HandoffError.notALink }
            delivery.carrier = .link
            guard case .open(let url) = try await delivery.send(),
                case .offer(let arrived) = try await apps.receiver.receive(url, from: Apps.lite)
            else { throw HandoffError.notALink }
            offer = arrived
        }
        #expect(offer.defaultsKeys == ["sort", "theme"])
        #expect(store.values == ["theme": .string("light"), "other": .integer(1)])
        try await offer.install(into: apps.documents).finish()
        #expect(store.values == ["theme": .string("dark"), "sort": .boolean(true), "other": .integer(1)])
        #expect(apps.installed == ["boards.sqlite"])
        #expect(apps.file == "fourteen boards")
    }

    @Test("a delivery counts the user defaults, and doesn't list them as a file")
    func delivery() async throws {
        let apps = try apps()
        guard case .request(let delivery) = try await apps.sender.receive(apps.receiver.request(), from: Apps.paid)
        else { throw HandoffError.notALink }
        #expect(delivery.contents.files.map(\.name) == ["boards.sqlite"])
        let list = DefaultsValue.dictionary(Self.sent.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        #expect(delivery.totalLength == 15 + list.binary.count)
    }

    @Test("user defaults can travel without files")
    func withoutFiles() async throws {
        let store = Settings()
        let apps = try apps(into: store, files: [:])
        try await offer(apps).install(into: apps.documents).finish()
        #expect(store.values == Self.sent)
        #expect(apps.installed == [])
    }

    @Test("without files and without a value there is nothing to send")
    func nothing() async throws {
        let apps = try apps([:], files: [:])
        await #expect(throws: HandoffError.noFiles) { try await apps.sender.makeFile() }
        await #expect(throws: HandoffError.noFiles) { try await apps.sender.sendToGroup() }
    }

    @Test("a receiver that names no keys installs the files, and sets nothing")
    func notAccepted() async throws {
        let store = Settings()
        let apps = try apps(accepting: nil, into: store)
        let offer = try await offer(apps)
        #expect(offer.defaultsKeys == [])
        try await offer.install(into: apps.documents).finish()
        #expect(store.values.isEmpty)
        #expect(apps.installed == ["boards.sqlite"])
    }

    @Test(
        "a package with nothing that the receiver accepts is no offer, and has no receipt",
        arguments: [nil, ["other"]]
    )
    func nothingAccepted(accepting: Set<String>?) async throws {
        let apps = try apps(accepting: accepting, files: [:])
        let manifest = try await apps.sender.sendToGroup()
        await #expect(throws: HandoffError.noFiles) { try await apps.receiver.take(manifest) }
        await #expect(throws: HandoffError.noFiles) { try await offer(apps) }
        #expect(try Apps.tree(apps.staged).isEmpty)
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try await apps.sender.confirmations() == [])
    }

    @Test("an app's own file can't have the name of the user defaults")
    func ownName() async throws {
        for name in [HandoffDefaults.fileName, ".Handoff/defaults.plist", ".handoff/other"] {
            let apps = try Apps()
            let (route, file) = (apps.route, apps.folder.appending(path: "lite/boards.sqlite"))
            let sender = try HandoffSender(route, storage: apps.folder, sealing: .custom(ToySealer())) {
                HandoffContents(schema: 1, files: [.init(name, at: file)])
            }
            await #expect(throws: HandoffError.invalidName(name)) { try await sender.makeFile() }
        }
        let apps = try apps()
        await #expect(throws: HandoffError.invalidName(".HANDOFF/defaults.plist")) {
            try await offer(apps, list: Data(), names: [".HANDOFF/defaults.plist"])
        }
        await #expect(throws: HandoffError.invalidName(HandoffDefaults.fileName)) {
            try await offer(apps, list: Data(), names: [HandoffDefaults.fileName, HandoffDefaults.fileName])
        }
    }

    @Test("changed user defaults are changed data")
    func hasChanged() async throws {
        let settings = Settings(Self.sent)
        let apps = try Apps(sending: HandoffDefaults(Self.keys, store: settings)) { route, folder in
            route.group = folder.appending(path: "group")
        }
        let manifest = try await apps.sender.sendToGroup()
        try await apps.receiver.take(manifest).install(into: apps.documents).finish()
        let confirmation = try #require(try await apps.sender.confirmations().first)
        #expect(try await !apps.sender.hasChanged(since: confirmation))
        try settings.set(.string("light"), of: "theme")
        #expect(try await apps.sender.hasChanged(since: confirmation))
        for key in Self.keys { try settings.set(nil, of: key) }
        #expect(try await apps.sender.hasChanged(since: confirmation))
    }

    // MARK: Sizes and hostile lists

    /// A list with one value, of this many bytes.
    private func list(of count: Int) -> [String: DefaultsValue] {
        let least = DefaultsValue.dictionary([.init("theme", .data(Data(count: 70_000)))]).binary.count - 70_000
        return ["theme": .data(Data(count: count - least))]
    }

    @Test("a property list may have exactly 1 MiB")
    func size() async throws {
        let store = Settings()
        let whole = try apps(list(of: 1 << 20), into: store)
        try await offer(whole).install(into: whole.documents).finish()
        #expect(store.values == list(of: 1 << 20))
        let larger = try apps(list(of: 1 << 20 + 1))
        await #expect(throws: HandoffError.defaultsTooLarge) { try await larger.sender.makeFile() }
        let sent = DefaultsValue.dictionary([.init("theme", list(of: 1 << 20 + 1)["theme"] ?? .integer(0))]).binary
        #expect(sent.count == 1 << 20 + 1)
        await #expect(throws: HandoffError.defaultsTooLarge) { try await offer(larger, list: sent) }
        #expect(!FileManager.default.fileExists(atPath: larger.staged.path))
    }

    @Test("a property list that isn't a dictionary, or isn't a property list, is refused before anybody is asked")
    func hostile() async throws {
        let apps = try apps()
        for list in [
            Data(), Data("<plist/>".utf8), DefaultsValue.string("theme").binary, DefaultsValue.array([]).binary,
            Data(DefaultsValue.dictionary([]).binary.dropLast()),
        ] {
            await #expect(throws: HandoffError.invalidDefaults) { try await offer(apps, list: list) }
        }
        #expect(try Apps.tree(apps.staged).isEmpty)
    }

    // MARK: All or none

    @Test("if a value can't be set, everything is as it was, and the offer is open", arguments: 0..<3)
    func failingWrite(count: Int) async throws {
        let before: [String: DefaultsValue] = ["sort": .integer(7), "theme": .string("light")]
        let store = Settings(before)
        let apps = try apps(into: store)
        try apps.put("two boards", at: "documents/boards.sqlite")
        let offer = try await offer(apps)
        store.fail(after: count, times: 1)
        await #expect(throws: HandoffError.noSpace) { try await offer.install(into: apps.documents) }
        #expect(store.values == before)
        #expect(apps.file == "two boards")
        #expect(apps.installations.isEmpty)
        try await offer.install(into: apps.documents).finish()
        #expect(store.values == Self.sent)
        #expect(apps.file == "fourteen boards")
    }

    @Test("after a crash, the next launch sets the rest", arguments: 0..<3)
    func crash(count: Int) async throws {
        let store = Settings(["theme": .string("light")])
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        store.crash(after: count)
        await #expect(throws: HandoffError.noSpace) { try await offer.install(into: apps.documents) }
        await #expect(throws: HandoffError.noSpace) { try await apps.receiver.recover(in: apps.documents) }
        store.restart()
        let receipts = try await apps.receiver.recover(in: apps.documents).receipts
        #expect(receipts.count == 1)
        #expect(store.values == Self.sent)
        #expect(apps.file == "fourteen boards")
        // What the user changes after that stays.
        try store.set(.string("light"), of: "theme")
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(store.values["theme"] == .string("light"))
    }

    @Test("an installation that failed isn't completed once the user has declined", arguments: [true, false], 0..<3)
    func declined(isUndoneLater: Bool, count: Int) async throws {
        let store = Settings(["theme": .string("light")])
        let apps = try apps(into: store)
        try apps.put("two boards", at: "documents/boards.sqlite")
        let offer = try await offer(apps)
        store.crash(after: count)
        await #expect(throws: HandoffError.noSpace) { try await offer.install(into: apps.documents) }
        if isUndoneLater { await #expect(throws: HandoffError.noSpace) { try await offer.decline() } }
        store.restart()
        if !isUndoneLater { try await offer.decline() }
        let recovery = try await apps.receiver.recover(in: apps.documents)
        #expect(recovery.receipts.isEmpty)
        #expect(recovery.damaged.isEmpty)
        #expect(store.values == ["theme": .string("light")])
        #expect(apps.file == "two boards")
        #expect(apps.installations.isEmpty)
    }

    /// Lets an installation fail, so that it can't be undone before the store works again.
    private func fail(_ offer: HandoffOffer, _ apps: Apps, _ store: Settings) async {
        store.crash(after: 0)
        await #expect(throws: HandoffError.noSpace) { try await offer.install(into: apps.documents) }
        store.restart()
    }

    /// Another receiver with the same storage.
    private func receiver(_ apps: Apps, _ keys: Set<String>, _ store: Settings) throws -> HandoffReceiver {
        try HandoffReceiver(
            apps.route,
            schemas: 1...1,
            storage: apps.folder.appending(path: "storage"),
            defaults: HandoffDefaults(keys, store: store),
            sealing: .custom(ToySealer())
        )
    }

    @Test("an installation that failed and was completed since stays if the user declines then")
    func declinedTooLate() async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        await fail(offer, apps, store)
        let receipts = try await apps.receiver.recover(in: apps.documents).receipts
        #expect(receipts.count == 1)
        try await offer.decline()
        #expect(store.values == Self.sent)
        #expect(apps.file == "fourteen boards")
    }

    @Test("what another receiver has completed and confirmed stays if the user declines the failed offer then")
    func declinedAfterOther() async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let offer = try await apps.receiver.take(apps.sender.sendToGroup())
        await fail(offer, apps, store)
        let other = try receiver(apps, Self.keys, store)
        #expect(try await other.recover(in: apps.documents).receipts.count == 1)
        #expect(try await apps.sender.confirmations().map(\.isProven) == [true])
        try await offer.decline()
        #expect(store.values == Self.sent)
        #expect(apps.file == "fourteen boards")
        #expect(try await other.recover(in: apps.documents).receipts.count == 1)
    }

    @Test(
        "an installation that the next one has completed, and that no app has heard of, is undone if the user declines"
    )
    func declinedSilently() async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        await fail(offer, apps, store)
        try await apps.offer(["a": "1"]).install(into: apps.documents).finish()
        #expect(Set(apps.installed) == ["a", "boards.sqlite"])
        try await offer.decline()
        #expect(apps.installed == ["a"])
        #expect(store.values.isEmpty)
    }

    @Test("what the user has accepted with another offer stays if they decline the failed one then")
    func declinedAfterAccepted() async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let manifest = try await apps.sender.sendToGroup()
        let offer = try await apps.receiver.take(manifest)
        await fail(offer, apps, store)
        try await apps.receiver.take(manifest).install(into: apps.documents).finish()
        #expect(try await apps.sender.confirmations().map(\.isProven) == [true])
        try await offer.decline()
        #expect(store.values == Self.sent)
        #expect(apps.file == "fourteen boards")
    }

    @Test("if an installation can't be completed, what it has set is put back, and what was set since stays")
    func undone() async throws {
        let store = Settings(["boards": .integer(1), "theme": .string("light")])
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        store.crash(after: 2)
        await #expect(throws: HandoffError.noSpace) { try await offer.install(into: apps.documents) }
        store.restart()
        #expect(store.values["boards"] == Self.sent["boards"])
        try store.set(.integer(9), of: "sort")
        let installation = try #require(apps.installations.first)
        try FileManager.default.removeItem(at: installation.appending(path: "new/boards.sqlite"))
        try FileManager.default.removeItem(at: apps.documents.appending(path: "boards.sqlite"))
        await #expect(throws: HandoffError.corrupt) { try await apps.receiver.recover(in: apps.documents) }
        #expect(store.values == ["boards": .integer(1), "sort": .integer(9), "theme": .string("light")])
        #expect(apps.installations.isEmpty)
    }

    @Test("a journal sets only keys that the receiver accepts now, and a damaged one sets nothing")
    func journal() async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        await fail(offer, apps, store)
        let receiver = try receiver(apps, ["sort"], store)
        #expect(try await receiver.recover(in: apps.documents).receipts.count == 1)
        #expect(store.values == ["sort": .boolean(true)])

        let journal = try #require(apps.installations.first).appending(path: "journal.json")
        let json = try String(contentsOf: journal, encoding: .utf8)
        let damaged = json.replacing(#""new":""#, with: #""new":"AAAA"#).replacing(":true", with: ":false")
        try Data(damaged.utf8).write(to: journal)
        try store.set(nil, of: "sort")
        #expect(try await receiver.recover(in: apps.documents).damaged.count == 1)
        #expect(store.values.isEmpty)
    }

    @Test("a journal whose list grows without end when it is read is set aside at once")
    func bomb() async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        await fail(offer, apps, store)
        let journal = try #require(apps.installations.first).appending(path: "journal.json")
        let json = try String(contentsOf: journal, encoding: .utf8)
        let bomb = json.replacing(/"new":"[^"]*"/, with: #""new":"\#(DefaultsValueTests.bomb.base64EncodedString())""#)
        try Data(bomb.utf8).write(to: journal)
        #expect(try await apps.receiver.recover(in: apps.documents).damaged.count == 1)
        #expect(store.values.isEmpty)
    }

    // MARK: Merging

    @Test("a merge sets the user defaults after the app's code, all or none", arguments: 0..<3)
    func merge(count: Int) async throws {
        struct Full: Error {}
        let store = Settings(["theme": .string("light")])
        let apps = try apps(into: store)
        let offer = try await offer(apps)
        await #expect(throws: HandoffError.appFailed("Full()")) { try await offer.merge { _ in throw Full() } }
        #expect(store.values == ["theme": .string("light")])
        store.fail(after: count, times: 1)
        await #expect(throws: HandoffError.noSpace) { try await offer.merge { _ in } }
        #expect(store.values == ["theme": .string("light")])

        store.crash(after: count)
        await #expect(throws: HandoffError.noSpace) { try await offer.merge { _ in } }
        store.restart()
        let receipts = try await apps.receiver.recover(in: apps.documents).receipts
        #expect(receipts.count == 1)
        #expect(store.values == Self.sent)
        try receipts.first?.finish()
        #expect(apps.installations.isEmpty)
    }

    @Test("a merge without user defaults is finished at once")
    func mergeWithout() async throws {
        let apps = try apps(accepting: nil)
        _ = try await offer(apps).merge { _ in }
        #expect(apps.installations.isEmpty)
    }
}
