import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// When the paid app offers to bring the data along.
struct SuggestionTests {
    private func apps() throws -> Apps {
        try Apps { route, folder in route.group = folder.appending(path: "group") }
    }

    private func arrival(_ apps: Apps) throws -> Arrival { Arrival(try apps.route.referral(), road: .pasteboard) }

    private func reason(_ apps: Apps, after arrival: Arrival? = nil) async throws -> HandoffSuggestion.Reason? {
        try await apps.receiver.suggestion(after: arrival)?.reason
    }

    @Test("the link of the free app names it, and asks for the handoff")
    func link() async throws {
        let apps = try apps()
        let referral = try apps.route.referral(timestamp: apps.clock.now)
        #expect(referral.payload == #"{"timestamp":1795224750690,"referrer":"com.example.trestle.lite","handoff":"1"}"#)
        #expect(try await reason(apps, after: Arrival(referral, road: .pasteboard)) == .arrival)
    }

    @Test(
        "a link of somebody else, or one that doesn't ask, is no reason",
        arguments: [
            ("com.example.trestle.lite", [:]), ("com.example.trestle.lite", ["hand": "off"]),
            ("anna", ["handoff": "1"]),
            ("Com.example.trestle.lite", ["handoff": "1"]),
        ]
    )
    func otherLinks(referrer: String, parameters: [String: String]) async throws {
        let referral = try Referral(referrer: referrer, parameters: parameters)
        #expect(try await reason(apps(), after: Arrival(referral, road: .opened)) == nil)
        #expect(try await reason(apps()) == nil)
    }

    @Test("after an arrival, the user agrees, and the free app is asked")
    func acceptArrival() async throws {
        let apps = try apps()
        let suggestion = try #require(try await apps.receiver.suggestion(after: arrival(apps)))
        guard case .open(let url) = try await suggestion.accept() else { throw HandoffError.notALink }
        guard case .offer(let offer) = try await apps.receiver.receive(apps.answer(to: url), from: Apps.lite) else {
            throw HandoffError.notALink
        }
        _ = try await offer.install(into: apps.documents)
        #expect(apps.file == "fourteen boards")
        #expect(try await reason(apps, after: arrival(apps)) == nil)
    }

    @Test("a package in the shared folder is a reason with and without an arrival; the newest comes first")
    func acceptPackage() async throws {
        let apps = try apps()
        _ = try await apps.sender.sendToGroup()
        apps.clock.advance(by: 1)
        let newest = try await apps.sender.sendToGroup()
        #expect(try await reason(apps, after: arrival(apps)) == .package(newest))
        let suggestion = try #require(try await apps.receiver.suggestion())
        #expect(suggestion.reason == .package(newest))
        guard case .offer(let offer) = try await suggestion.accept() else { throw HandoffError.notALink }
        #expect(offer.manifest == newest)
        #expect(apps.installed == [])
        _ = try await offer.install(into: apps.documents)
        #expect(try await reason(apps) == nil)
    }

    @Test(
        "the user is asked until they have answered, and not again, also by a later process",
        arguments: [true, false]
    )
    func once(hasPackage: Bool) async throws {
        let apps = try apps()
        let arrival = hasPackage ? nil : try arrival(apps)
        if hasPackage { _ = try await apps.sender.sendToGroup() }
        #expect(try await reason(apps, after: arrival) != nil)
        try await #require(try await apps.receiver.suggestion(after: arrival)).decline()
        #expect(try await reason(apps, after: arrival) == nil)
        #expect(try await apps.receiver.packages().count == (hasPackage ? 1 : 0))
        let later = try HandoffReceiver(
            apps.route,
            schemas: 1...1,
            storage: apps.folder.appending(path: "storage"),
            sealing: .custom(ToySealer())
        )
        #expect(try await later.suggestion(after: arrival) == nil)
    }

    @Test("an error isn't an answer")
    func error() async throws {
        let apps = try apps()
        let manifest = try await apps.sender.sendToGroup()
        let file = apps.folder.appending(path: "group/Handoff/\(manifest.transfer)/files/boards.sqlite")
        try Data("FOURTEEN BOARDS".utf8).write(to: file)
        let suggestion = try #require(try await apps.receiver.suggestion())
        await #expect(throws: HandoffError.corrupt) { _ = try await suggestion.accept() }
        #expect(try await reason(apps) == .package(manifest))
        try Data("fourteen boards".utf8).write(to: file)
        guard case .offer = try await suggestion.accept() else { throw HandoffError.notALink }
    }

    @Test("a link is no reason once data was accepted, and neither is a package that this app doesn't accept")
    func noReason() async throws {
        let apps = try apps()
        _ = try await apps.receiver.receive(fileAt: apps.sender.makeFile()).install(into: apps.documents)
        #expect(try await reason(apps, after: arrival(apps)) == nil)

        let other = try self.apps()
        let manifest = try await other.sender.sendToGroup()
        let place = other.folder.appending(path: "group/Handoff/\(manifest.transfer)/manifest.json")
        let json = try String(contentsOf: place, encoding: .utf8)
        try Data(json.replacing(#""schema":1"#, with: #""schema":2"#).utf8).write(to: place)
        #expect(try await reason(other) == nil)
    }

    @Test("a package that was accepted without the sender's knowledge is no reason")
    func accepted() async throws {
        let apps = try apps()
        let manifest = try await apps.sender.sendToGroup()
        let (folder, kept) = (apps.folder.appending(path: "group/Handoff"), apps.folder.appending(path: "kept"))
        try FileManager.default.copyItem(at: folder, to: kept)
        _ = try await apps.receiver.open(manifest).install(into: apps.documents)
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.moveItem(at: kept, to: folder)
        #expect(try await apps.receiver.packages().count == 1)
        #expect(try await reason(apps) == nil)
    }

    @Test("what an earlier version remembers is read")
    func earlierRecord() async throws {
        let apps = try apps()
        try Data(#"{"requests":[],"taken":[]}"#.utf8).write(to: apps.storage.appending(path: "receiver.json"))
        #expect(try await reason(apps, after: arrival(apps)) == .arrival)
    }
}
