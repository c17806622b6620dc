import DataHandoff
import Foundation
import TestSupport
import Testing

/// User defaults, from one app to the other.
struct DefaultsTests {
    private static let keys: Set = ["boards", "sort", "theme"]
    private static var sent: [String: Any] { ["boards": ["Garden", "Kitchen"], "sort": true, "theme": "dark"] }

    /// Apps whose sender has user defaults, and whose receiver accepts some of them.
    private func apps(
        _ values: [String: Any] = sent,
        sending: Set<String> = keys,
        accepting: Set<String>? = keys,
        into store: Settings = Settings(),
        files: [String: Data] = ["boards.sqlite": Data("fourteen boards".utf8)]
    ) throws -> Apps {
        try Apps(
            hasGroup: true,
            files: files,
            sending: HandoffDefaults(sending, in: Settings(values)),
            accepting: accepting.map { HandoffDefaults($0, in: store) }
        )
    }

    /// A package with a property list that no sender makes.
    private func offer(_ apps: Apps, list: Data, names: [String] = [HandoffDefaults.fileName]) async throws
        -> HandoffOffer
    {
        try await apps.receiver.receive(fileAt: apps.package(names.map { ($0, list) }))
    }

    // MARK: What travels

    @Test("the values of the keys that both apps name arrive with the files, on every carrier", arguments: 0...2)
    func carriers(carrier: Int) async throws {
        let store = Settings(["theme": "light", "other": 1])
        let apps = try apps(
            sending: ["boards", "sort", "theme", "missing"],
            accepting: ["sort", "theme"],
            into: store
        )
        let offer: HandoffOffer
        switch carrier {
        case 0: offer = try await apps.offer()
        case 1: offer = try await apps.receiver.open(apps.sender.sendToGroup())
        default:
            var delivery = try await apps.delivery()
            delivery.carrier = .link
            guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
            offer = try await apps.offer(at: url)
        }
        #expect(offer.defaultsKeys == ["sort", "theme"])
        #expect(try store.holds(["theme": "light", "other": 1]))
        try await offer.install(into: apps.documents).finish()
        #expect(try store.holds(["theme": "dark", "sort": true, "other": 1]))
        #expect(apps.installed == ["boards.sqlite"])
        #expect(apps.file == "fourteen boards")
    }

    @Test("values of every type arrive as they were, and a date in whole seconds, also without files")
    func types() async throws {
        let values: [String: Any] = [
            "no": false, "yes": true, "least": Int.min, "most": Int.max, "infinite": Double.infinity, "pi": Double.pi,
            "text": "<&>\" Brücke \u{1} 🌉\n", "empty": "", "bytes": Data.incompressible(70_000), "none": [Any](),
            "deep": ["a": [["b": 0.5], true, Data()], "\u{E9}": [String: Any]()],
        ]
        let store = Settings()
        let date = ["date": Date(timeIntervalSinceReferenceDate: 5.25)]
        let keys = Set(values.keys).union(date.keys)
        let apps = try apps(values.merging(date) { $1 }, sending: keys, accepting: keys, into: store, files: [:])
        try await apps.offer().install(into: apps.documents).finish()
        #expect(store.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 5))
        store.removeObject(forKey: "date")
        #expect(try store.holds(values))
        #expect(store.object(forKey: "pi") as? Double == .pi)
        #expect(store.object(forKey: "most") as? Int == .max)
        #expect(store.object(forKey: "yes") as? Bool == true)
        #expect(apps.installed == [])
    }

    @Test(
        "a package with nothing that the receiver accepts is no offer, and has no receipt",
        arguments: [nil, ["other"]]
    )
    func nothingAccepted(accepting: Set<String>?) async throws {
        let apps = try apps(accepting: accepting, files: [:])
        let manifest = try await apps.sender.sendToGroup()
        await #expect(throws: HandoffError.noFiles) { try await apps.receiver.open(manifest) }
        await #expect(throws: HandoffError.noFiles) { try await apps.offer() }
        #expect(try Apps.tree(apps.staged).isEmpty)
        _ = try await apps.receiver.recover(in: apps.documents)
        #expect(try await apps.sender.confirmations() == [])
    }

    @Test("an app's own file can't have the name of the user defaults, and isn't a file of a library")
    func ownName() async throws {
        let apps = try apps()
        let names = [HandoffDefaults.fileName, ".Handoff/defaults.plist", ".handoff/other"]
        let places = ["Unlocks/journal", "x/UNLOCKS/Journal.new", "DataHandoff/sender.json"]
        for (name, place) in names.map({ ($0, "lite/boards.sqlite") }) + places.map({ ("a", $0) }) {
            let file = apps.folder.appending(path: place)
            let sender = try HandoffSender(apps.route, storage: apps.folder, sealing: .custom(ToySealer())) {
                HandoffContents(schema: 1, files: [.init(name, at: file)])
            }
            await #expect(throws: HandoffError.invalidName(name)) { try await sender.makeFile() }
        }
        for names in [[".HANDOFF/defaults.plist"], [HandoffDefaults.fileName, HandoffDefaults.fileName]] {
            await #expect(throws: HandoffError.invalidName(names[0])) {
                try await offer(apps, list: Data(), names: names)
            }
        }
    }

    @Test("changed user defaults are changed data")
    func hasChanged() async throws {
        let settings = Settings(Self.sent)
        let apps = try Apps(hasGroup: true, sending: HandoffDefaults(Self.keys, in: settings))
        let manifest = try await apps.sender.sendToGroup()
        try await apps.receiver.open(manifest).install(into: apps.documents).finish()
        let confirmation = try #require(try await apps.sender.confirmations().first)
        #expect(try await !apps.sender.hasChanged(since: confirmation))
        settings.set("light", forKey: "theme")
        #expect(try await apps.sender.hasChanged(since: confirmation))
        for key in Self.keys { settings.removeObject(forKey: key) }
        #expect(try await apps.sender.hasChanged(since: confirmation))
    }

    // MARK: Sizes and hostile lists

    @Test("a property list may have exactly 1 MiB")
    func size() async throws {
        let largest = String(repeating: "a", count: 1 << 20 - (try #require(try Settings(["theme": ""]).list).count))
        let store = Settings()
        let whole = try apps(["theme": largest], into: store)
        try await whole.offer().install(into: whole.documents).finish()
        #expect(store.string(forKey: "theme") == largest)
        let larger = try apps(["theme": largest + "a"])
        await #expect(throws: HandoffError.invalidDefaults) { try await larger.sender.makeFile() }
        let sent = try #require(try Settings(["theme": largest]).list) + Data("\n".utf8)
        await #expect(throws: HandoffError.invalidDefaults) { try await offer(larger, list: sent) }
        #expect(!FileManager.default.fileExists(atPath: larger.staged.path))
    }

    @Test("a value that is nested more than 64 deep, or has a key of more than 1,024 bytes, isn't sent")
    func depth() async throws {
        func apps(_ excess: Int, nests: Bool) throws -> Apps {
            let nested = (0..<63 + excess).reduce([Any]()) { list, _ in [list] }
            return try self.apps(["theme": nests ? nested : [String(repeating: "k", count: 1_024 + excess): 1]])
        }
        for nests in [true, false] {
            #expect(try await apps(0, nests: nests).offer().defaultsKeys == ["theme"])
            await #expect(throws: HandoffError.invalidDefaults) { try await apps(1, nests: nests).sender.makeFile() }
        }
    }

    private static func list(_ elements: String) throws -> Data {
        let list = String(decoding: try #require(try Settings(["theme": "dark"]).list), as: UTF8.self)
        let parts = try #require(list.wholeMatch(of: /(?s)(.*)<dict>.*<\/dict>(.*)/))
        return Data((parts.1 + elements + parts.2).utf8)
    }

    @Test(
        "a property list that isn't as Foundation writes a dictionary is refused before anybody is asked",
        .endsIfHung,
        arguments: [
            "", "<string>theme</string>", "<array/>", "<dict>", "<dict><key>theme</key></dict>",
            "<dict><key>theme</key><integer>dark</integer></dict>", "<dict><key>theme</key><CF$UID/></dict>",
            "<dict><!--x--><key>theme</key><string>dark</string></dict>",
            "<dict><key>theme</key><string><![CDATA[dark]]></string></dict>",
            "<dict><key>theme</key><string>&dark;</string></dict>",
            "<dict><key>theme</key><array a=\"/>\"><true/></array></dict>",
            String(repeating: "<array>", count: 60_000) + String(repeating: "</array>", count: 60_000),
            // Hashing such a key takes minutes, since Swift sorts its marks.
            "<dict><key>\(String(repeating: "\u{301}\u{323}", count: 200_000))</key><true/></dict>",
        ]
    )
    func hostile(elements: String) async throws {
        let apps = try apps()
        await #expect(throws: HandoffError.invalidDefaults) { try await offer(apps, list: Self.list(elements)) }
        #expect(try Apps.tree(apps.staged).isEmpty)
    }

    // MARK: All or none

    @Test("after a crash, the next launch puts back what was set, and what was set since then stays")
    func crash() async throws {
        let store = Settings(["boards": 1, "theme": "light"])
        let apps = try apps(into: store)
        try await apps.beginInstallation(["boards.sqlite": "fourteen boards"], offer: apps.offer())
        store.set(9, forKey: "sort")
        #expect(try await apps.receiver.recover(in: apps.documents).receipts.isEmpty)
        #expect(try store.holds(["boards": 1, "sort": 9, "theme": "light"]))
        #expect(apps.installations.isEmpty)
    }

    @Test("a journal puts back only keys that the receiver accepts now")
    func journal() async throws {
        let store = Settings(["sort": false, "theme": "light"])
        let apps = try apps(into: store)
        try await apps.beginInstallation(["boards.sqlite": "fourteen boards"], offer: apps.offer())
        _ = try await apps.nextReceiver(accepting: HandoffDefaults(["sort"], in: store)).recover(in: apps.documents)
        #expect(store.object(forKey: "sort") as? Bool == false)
        #expect(store.string(forKey: "theme") == "dark")
    }

    @Test(
        "a journal whose list is damaged, or nested without end, is set aside at once",
        arguments: ["<dict>", String(repeating: "<array>", count: 60_000)]
    )
    func damagedJournal(elements: String) async throws {
        let store = Settings()
        let apps = try apps(into: store)
        let list = try Self.list(elements).base64EncodedString().replacing("/", with: #"\/"#)
        try await apps.beginInstallation(["boards.sqlite": "fourteen boards"], offer: apps.offer()) { json in
            json = json.replacing(/"new":"[^"]*"/, with: #""new":"\#(list)""#)
        }
        for key in Self.keys { store.removeObject(forKey: key) }
        #expect(try await apps.receiver.recover(in: apps.documents).damaged.count == 1)
        #expect(try store.holds([:]))
    }

    // MARK: Merging

    @Test("a merge sets the user defaults after the app's code, unless that fails")
    func merge() async throws {
        struct Full: Error {}
        let store = Settings(["theme": "light"])
        let apps = try apps(into: store)
        let offer = try await apps.offer()
        await #expect(throws: HandoffError.appFailed("Full()")) { try await offer.merge { _ in throw Full() } }
        #expect(try store.holds(["theme": "light"]))
        let receipt = try await offer.merge { _ in }
        #expect(try store.holds(Self.sent))
        #expect(apps.installations.count == 1)
        try receipt.finish()
        #expect(apps.installations.isEmpty)
    }
}
