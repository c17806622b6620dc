import Foundation
import ReferralBridge
import Unlocks

/// A shop in a process of its own, which a test can end at any moment.
///
///     probe run FOLDER STORE SECONDS   launches the app, delivers what is due, for so long at most, spends three hints, and says
///                                      each problem and what the person has
///     probe content FOLDER STORE SECONDS CATALOG ADDRESS
///                                      the same with the catalog in a file and its items' files on a server, and says the highest
///                                      memory, in kB
@MainActor
@main
struct Probe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let folder = URL(fileURLWithPath: arguments[2])
        switch arguments[1] {
        case "run":
            let store = FileStore(URL(fileURLWithPath: arguments[3]))
            let unlocks = shop(folder, store, try ShopCatalog(json: Data(items.utf8)))
            try await run(unlocks, folder, store, Double(arguments[4]) ?? 0)
        case "content":
            let store = FileStore(URL(fileURLWithPath: arguments[3]))
            guard let server = URL(string: arguments[6]) else { fatalError("no address") }
            try await content(folder, store, Double(arguments[4]) ?? 0, URL(fileURLWithPath: arguments[5]), server)
        default: fatalError("unknown command")
        }
    }

    static let items = #"""
        {"format":1,"revision":1,"items":[
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}]}
        """#

    /// Waits a thousandth of what it is told to. It shows another day if the environment says so.
    static let hastyClock = DeviceClock(
        now: { Timestamp(milliseconds: Timestamp.now.milliseconds * 1_000).advanced(by: days * 86_400) },
        sleep: { seconds in try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000)) }
    )

    private nonisolated static let days = Double(ProcessInfo.processInfo.environment["DAYS"] ?? "") ?? 0

    static func shop(
        _ folder: URL,
        _ store: some PurchaseStore,
        _ catalog: ShopCatalog,
        _ downloads: ContentDownloads = ContentDownloads()
    ) -> UnlockCenter {
        UnlockCenter(
            store: store,
            catalog: catalog,
            folder: folder,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: hastyClock,
            downloads: downloads
        ) { delivery in
            try Data("content".utf8).write(to: delivery.folder.appendingPathComponent("content"))
        }
    }

    static func run(_ unlocks: UnlockCenter, _ folder: URL, _ store: FileStore, _ seconds: Double) async throws {
        unlocks.onProblem = { say("problem \($0)") }
        unlocks.start()
        let end = Date() + seconds
        while unlocks.state(of: "gold") == .unknown(.notOpened), Date() < end { await Task.yield() }
        let gold = folder.appendingPathComponent("content/purchase-1/content")
        func isReady() -> Bool {
            store.finished.count == store.transactions.count && unlocks.state(of: "gold").isUnlocked
                && FileManager.default.fileExists(atPath: gold.path)
        }
        try await wait(until: end, or: isReady)
        // A full disk is told, and nothing was spent then. The person tries it again.
        for _ in 0..<2 where (try? await unlocks.spend(3, of: "hint")) == true {
            say("spent")
            break
        }
        let open = ["gold", "silver"].filter { unlocks.state(of: UnlockID($0)).isUnlocked }
        let hints = unlocks.balance(of: "hint").count ?? 0
        let finished = store.finished.sorted().joined(separator: " ")
        say("open \(open.joined(separator: " ")), hints \(hints), finished \(finished)")
    }

    static func wait(until end: Date, or isReady: () -> Bool) async throws {
        while !isReady(), Date() < end { try await Task.sleep(nanoseconds: 1_000_000) }
    }

    /// Writes a line at once: the process may be ended in the next moment.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
