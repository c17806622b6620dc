import Foundation
import ReferralBasics
import ReferralBridge
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

/// The folder on a real disk.
@MainActor
final class DiskStorageTests {
    private var folder = FileManager.default.temporaryDirectory.appending(path: "unlocks-\(UUID().uuidString)")

    /// Pauses take no time, unless a test says otherwise. Time limits don't end.
    private var clock = TestClock(skippingUpTo: 20)

    private let store = ScriptedStore(products: [.init(id: "gold", price: "1 €")])

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts a shop, and waits until its folder is open.
    private func unlocks(
        deliver: @escaping UnlockCenter.Deliver = { delivery in
            try Data("content".utf8).write(to: delivery.folder.appending(path: "board"))
        }
    ) async throws -> UnlockCenter {
        let items = #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]}"#
        let unlocks = try UnlockCenter(
            store: store,
            catalog: .of(items: items),
            folder: folder,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: clock.clock,
            deliver: deliver
        )
        var failure: UnlocksError?
        unlocks.onProblem = { if case .notOpened(let error) = $0 { failure = error } }
        unlocks.start()
        await until { failure != nil || unlocks.state(of: "gold") != .unknown(.notOpened) }
        if let failure { throw failure }
        return unlocks
    }

    @Test("a purchase has a folder of its own with its transaction beside it, and both go with a refund")
    func folders() async throws {
        let unlocks = try await unlocks()
        await until { unlocks.state(of: "gold") == .locked && unlocks.products != nil }
        #expect(try await unlocks.buy("gold-pack") == .bought)
        await until { !store.finished.isEmpty }
        let id = try #require(store.finished.first)
        let content = folder.appending(path: "content")
        #expect(try String(contentsOf: content.appending(path: "purchase-\(id)/board"), encoding: .utf8) == "content")
        let json = try String(contentsOf: content.appending(path: "purchase-\(id).json"), encoding: .utf8)
        #expect(json.contains(#""purchase":{"_0":"\#(id)"}"#) && json.contains(#""productID":"gold""#))
        store.refund(id)
        await until { !unlocks.state(of: "gold").isUnlocked }
        await until { (try? FileManager.default.contentsOfDirectory(atPath: content.path()))?.isEmpty ?? false }
    }

    @Test("what is bought after something has removed all content is delivered")
    func removedContent() async throws {
        let unlocks = try await unlocks()
        try? FileManager.default.removeItem(at: folder.appending(path: "content"))
        store.buyElsewhere("gold")
        await until { unlocks.state(of: "gold").isUnlocked }
    }

    @Test("what is paid is open even if the content folder can't be made, and its content is delivered once it can")
    func noRoomForContent() async throws {
        var first: UnlockCenter? = try await unlocks()
        store.buyElsewhere("gold")
        await until { first?.state(of: "gold").isUnlocked == true }
        weak let ended = first
        first = nil
        await until { ended == nil }
        let content = folder.appending(path: "content")
        try FileManager.default.removeItem(at: content)
        // Nothing can be made in the place of a link that leads nowhere.
        let nowhere = folder.appending(path: "nowhere")
        try FileManager.default.createSymbolicLink(at: content, withDestinationURL: nowhere)
        var tries = 0
        let second = try await unlocks { _ in tries += 1 }
        #expect(second.state(of: "gold").isUnlocked)
        second.onProblem = { if case .notSaved = $0 { try? FileManager.default.removeItem(at: content) } }
        await until { tries == 1 }
    }

    @Test("content whose folder goes away while it is being delivered doesn't count")
    func folderGone() async throws {
        var tries = 0
        let unlocks = try await unlocks { delivery in
            tries += 1
            if tries == 1 { try FileManager.default.removeItem(at: delivery.folder) }
        }
        await until { unlocks.state(of: "gold") == .locked && unlocks.products != nil }
        #expect(try await unlocks.buy("gold-pack") == .bought)
        await until { !store.finished.isEmpty }
        #expect(tries == 2)
    }

    @Test("a folder has one owner at a time")
    func oneOwner() async throws {
        var first: UnlockCenter? = try await unlocks()
        await #expect(throws: UnlocksError.folderInUse) { try await unlocks() }
        #expect(first != nil)
        first = nil
        // It opens the folder as soon as the first one is gone.
        let second = try UnlockCenter(
            store: store,
            catalog: .of(),
            folder: folder,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: clock.clock
        )
        second.start()
        await until { second.state(of: "gold") != .unknown(.notOpened) }
    }

    @Test("a newer journal is reported as such each time, and not as one in use")
    func newerJournal() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"format":{"_0":4}}"#.utf8).write(to: folder.appending(path: "journal"))
        let unlocks = try UnlockCenter(
            store: ScriptedStore(products: []),
            catalog: .of(),
            folder: folder,
            context: ShopContext(appVersion: "1", platform: .iOS, languages: ["en"]),
            clock: clock.clock
        ) { _ in }
        var told: [UnlocksError] = []
        unlocks.onProblem = { if case .notOpened(let error) = $0 { told.append(error) } }
        unlocks.start()
        for _ in 0..<2 {
            await #expect(throws: UnlocksError.newerJournal) { try await unlocks.recordEvent("first-board") }
            await unlocks.refresh()
        }
        #expect(told.allSatisfy { $0 == .newerJournal } && !told.isEmpty)
        // An older app can't read it later either, so nothing waits to try again.
        await rest()
        #expect(clock.sleeping == 0)
    }

    @Test("a folder that can't be made is told")
    func noFolder() async throws {
        try Data().write(to: folder)
        await #expect(throws: UnlocksError.self) { try await unlocks() }
    }

    @Test("a folder in an app group's container is refused: iOS ends a suspended app that holds a lock there")
    func sharedFolder() async throws {
        let temporary = folder
        defer { folder = temporary }
        for path in ["Shared/AppGroup/0F6C/shop", "Group Containers/group.com.example.trestle/shop"] {
            folder = temporary.appending(path: path)
            await #expect(throws: UnlocksError.folderIsShared) { try await unlocks() }
            #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
        }
        let group = temporary.appending(path: "Shared/AppGroup")
        try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
        let link = temporary.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: group)
        folder = link
        await #expect(throws: UnlocksError.folderIsShared, "by another name") {
            try await unlocks()
        }
        folder = temporary.appending(path: "AppGroup/Shared")
        _ = try await unlocks()
    }
}
