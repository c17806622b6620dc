import Foundation
import TestSupport
import Testing

@testable import ReferralBridge

/// Nothing is counted twice or lost in silence, whatever happens to the file and the process.
@MainActor
struct CountsFileTests {
    private let today = "2026-11-21"

    @Test("an arrival that is reported again, since the ledger wasn't saved, counts once")
    func killedBetweenWrites() async throws {
        let first = CountsStage([Fixture.link("anna")])
        first.ledger.saveFailure = CocoaError(.fileWriteOutOfSpace)
        await first.bridge.checkForReferralLinks()
        first.ledger.saveFailure = nil

        let second = CountsStage([Fixture.link("anna")], after: first)
        try second.open("ben")
        var told: [String] = []
        second.bridge.onArrival = { told.append($0.referrer) }
        let third = CountsStage([Fixture.link("anna")], after: first)
        third.bridge.onArrival = { told.append($0.referrer) }
        third.ledger.data = nil
        await third.bridge.checkForReferralLinks()
        #expect(told == ["anna"])
        #expect(try third.rows == ["\(today) pasteboard found anna 1", "\(today) opened found ben 1"])
    }

    @Test("a tap of another referrer in the same millisecond counts")
    func sameMoment() throws {
        let stage = CountsStage()
        try stage.open("anna")
        try stage.open("ben", after: 0)
        #expect(try stage.rows.count == 2)
    }

    @Test("what can't be saved is told, kept, and saved with the next count")
    func fullDisk() throws {
        let stage = CountsStage()
        stage.storage.saveFailure = CocoaError(.fileWriteOutOfSpace)
        try stage.open("anna")
        stage.counts.record(event: "purchase")
        #expect(stage.failures.count == 2)
        #expect(try stage.rows == ["\(today) opened found anna 1", "\(today) purchase anna 1"])
        stage.storage.saveFailure = nil
        stage.counts.record(event: "purchase")
        let next = CountsStage(after: stage)
        #expect(try next.rows == ["\(today) opened found anna 1", "\(today) purchase anna 2"])
    }

    @Test("a file that can't be read before the first unlock isn't replaced")
    func locked() throws {
        let stage = CountsStage()
        try stage.open("anna")
        let next = CountsStage(after: stage)
        next.storage.loadFailure = ReferralLedgerError.protectedDataUnavailable
        next.counts.record(event: "purchase")
        #expect(throws: ReferralLedgerError.self) { try next.counts.export() }
        next.storage.loadFailure = nil
        next.counts.record(event: "purchase")
        #expect(next.failures == ["\(ReferralLedgerError.protectedDataUnavailable)"])
        #expect(try next.rows == ["\(today) opened found anna 1", "\(today) purchase anna 2"])
    }

    @Test("a file that isn't one of counts is told and replaced", arguments: ["", "{", "[]", #"{"rows":[{"day":1}]}"#])
    func damaged(_ text: String) throws {
        let stage = CountsStage()
        stage.storage.data = Data(text.utf8)
        #expect(throws: DecodingError.self) { try stage.counts.export() }
        // The handler counts too.
        stage.counts.onFailure = { _ in stage.counts.record(event: "damage") }
        try stage.open("anna")
        #expect(try stage.rows == ["\(today) opened found anna 1", "\(today) damage anna 1"])
    }

    @Test("two objects with the same file count what both record")
    func twoAtOnce() throws {
        let stage = CountsStage()
        let other = CountsStage(after: stage)
        for _ in 0..<3 {
            stage.counts.record(event: "purchase")
            other.counts.record(event: "purchase")
        }
        #expect(try stage.rows == ["\(today) purchase 6"])
    }

    @Test("a reset deletes the counts, and not the arrival whose events follow")
    func reset() throws {
        let stage = CountsStage()
        try stage.open("anna")
        stage.counts.reset()
        #expect(try stage.rows == [])
        stage.counts.record(event: "purchase")
        #expect(try stage.rows == ["\(today) purchase anna 1"])
    }

    @Test("the file is in a folder that the first count makes, and no package may replace it")
    func folder() throws {
        let place = TemporaryFolder("counts")
        let counts = ArrivalCounts(appID: Fixture.app, in: place.url)
        let file = place.url.appending(path: "ReferralBridge/counts.json")
        #expect(!FileManager.default.fileExists(atPath: place.url.path()))
        counts.record(event: "start")
        #expect(FileManager.default.fileExists(atPath: file.path()))
        #expect(LibraryFiles.isReached(by: file.path()))
        #expect(try ArrivalCounts(appID: Fixture.app, in: place.url).export() == counts.export())
    }
}
