import Foundation
import TestSupport
import Testing

@testable import ReferralBridge

/// What is counted, and under which name.
@MainActor
struct ArrivalCountsTests {
    private let today = "2026-11-21"

    @Test("an arrival counts under its day, road and referrer, as one line of JSON")
    func arrival() async throws {
        let stage = CountsStage([Fixture.link("anna")])
        #expect(try stage.counts.export() == #"{"app":"1300230302","rows":[],"version":1}"#)
        await stage.bridge.checkForReferralLinks()
        let row = #"{"count":1,"day":"2026-11-21","outcome":"found","referrer":"anna","road":"pasteboard"}"#
        #expect(try stage.counts.export() == #"{"app":"1300230302","rows":[\#(row)],"version":1}"#)
    }

    @Test("each road counts under its own name")
    func roads() async throws {
        let stage = CountsStage([Fixture.link("anna")])
        await stage.bridge.checkForReferralLinks()
        stage.bridge.handlePaste([Fixture.link("ben", age: 0)])
        try stage.open("carl")
        stage.counts.record(Arrival(try Referral(referrer: "dora", timestamp: Fixture.now), road: .typed))
        stage.bridge.clipStorage = LeftByClip(
            #"{"format":1,"address":"https://example.com/get?via=emil","opened":\#(Int64(Fixture.now.milliseconds))}"#
        )
        await stage.bridge.checkForReferralLinks()
        #expect(
            try stage.rows == [
                "\(today) pasteboard found anna 1", "\(today) pasteButton found ben 1", "\(today) opened found carl 1",
                "\(today) typed found dora 1", "\(today) appClip found emil 1",
            ]
        )
    }

    @Test("a check without an arrival counts under its outcome or its verdict")
    func outcomes() async throws {
        let empty = CountsStage()
        await empty.bridge.checkForReferralLinks()
        #expect(try empty.rows == ["\(today) pasteboard noLinkDetected 1"])

        let expired = CountsStage(["a note", Fixture.link("anna", age: 300_000)])
        await expired.bridge.checkForReferralLinks()
        #expect(try expired.rows == ["\(today) pasteboard expired anna 1"])

        let pasted = CountsStage()
        pasted.bridge.handlePaste(["a note"])
        pasted.bridge.handlePaste([Fixture.link(payload: "{}")])
        pasted.bridge.handlePaste([])
        #expect(
            try pasted.rows == [
                "\(today) pasteButton notALink 1", "\(today) pasteButton malformedPayload 1",
                "\(today) pasteButton emptyOrDenied 1",
            ]
        )

        let clip = CountsStage()
        clip.bridge.clipStorage = LeftByClip("{")
        await clip.bridge.checkForReferralLinks()
        #expect(try clip.rows == ["\(today) appClip readFailed 1", "\(today) pasteboard noLinkDetected 1"])
    }

    @Test(
        "outcomes that end a check count, and those that don't look or haven't ended don't",
        arguments: [
            (.noLinkDetected, "noLinkDetected"),
            (.emptyOrDenied, "emptyOrDenied"), (.readFailed(Self.failure), "readFailed"),
            (.unchanged, nil), (.skipped, nil), (.stillReading, nil), (.waitingForActivation, nil),
            (.waitingForUnlock, nil),
        ] as [(AppStoreBridge.Outcome, String?)]
    )
    func everyOutcome(_ outcome: AppStoreBridge.Outcome, name: String?) throws {
        let stage = CountsStage()
        stage.counts.record(outcome, on: .pasteboard)
        #expect(try stage.rows == (name.map { ["\(today) pasteboard \($0) 1"] } ?? []))
    }

    private nonisolated static let failure = AppStoreBridge.Failure(CancellationError())

    @Test("addresses without a referral that open the app don't count, since apps are opened by others too")
    func otherAddresses() throws {
        let stage = CountsStage()
        for address in ["https://example.com/help", "trestle://settings", "https://apps.apple.com/app/id1300230302"] {
            stage.bridge.handle(try #require(URL(string: address)))
        }
        #expect(try stage.rows == [])
        stage.bridge.handle(try #require(URL(string: "trestle://x?ed=e30")))
        #expect(try stage.rows == ["\(today) opened malformedPayload 1"])
    }

    @Test("a tap that was reported before counted then")
    func onlyOnce() async throws {
        let stage = CountsStage([Fixture.link("anna")])
        await stage.bridge.checkForReferralLinks()
        stage.bridge.handlePaste([Fixture.link("anna")])
        try stage.open("ben")
        try stage.open("ben")
        #expect(try stage.rows == ["\(today) pasteboard found anna 1", "\(today) opened found ben 1"])
    }

    @Test("a held arrival counts when it is released, and one that nobody is told of doesn't")
    func held() throws {
        let stage = CountsStage()
        stage.bridge.holdsArrivals = true
        try stage.open("anna")
        #expect(try stage.rows == [])
        stage.bridge.onArrival = nil
        stage.bridge.releaseArrivals()
        #expect(try stage.rows == [])
        stage.bridge.onArrival = { _ in }
        stage.wait(days: 1)
        stage.bridge.releaseArrivals()
        #expect(try stage.rows == ["2026-11-22 opened found anna 1"])
    }

    @Test("referrers are left out if the app doesn't want them, in the file too")
    func withoutReferrers() async throws {
        let stage = CountsStage([Fixture.link("anna")], keepsReferrers: false)
        await stage.bridge.checkForReferralLinks()
        stage.counts.record(event: "first-purchase")
        #expect(try stage.rows == ["\(today) pasteboard found 1", "\(today) first-purchase 1"])
        #expect(!String(decoding: try #require(stage.storage.data), as: UTF8.self).contains("anna"))
    }

    @Test("invite codes stand for people: in whatever spelling, they count together unless the app asks for them")
    func codes() throws {
        let codes = ["4F7K-9Q2M-XRKQ", "4f7k9q2mxrkq", "0000.0000.0000"]
        let names = ["4F7K-9Q2M-XRKR", "4F7K-9Q2M-XRK", "anna"]
        let stage = CountsStage()
        for referrer in codes + names { try stage.open(referrer) }
        stage.counts.record(event: "first-purchase")
        try stage.open(codes[0], after: 2_000)
        stage.counts.record(event: "first-purchase")
        #expect(
            try stage.rows == ["\(today) opened found (invitations) 4"] + names.map { "\(today) opened found \($0) 1" }
                + ["\(today) first-purchase anna 1", "\(today) first-purchase (invitations) 1"]
        )
        let file = String(decoding: try #require(stage.storage.data), as: UTF8.self)
        for code in codes { #expect(!file.contains(code)) }

        let asked = CountsStage(keepsCodes: true)
        try asked.open(codes[0])
        #expect(try asked.rows == ["\(today) opened found \(codes[0]) 1"])
    }

    @Test("one referrer of more than 256 bytes has no row of its own")
    func names() throws {
        let stage = CountsStage()
        let long = String(repeating: "a", count: 256)
        for referrer in [long, long + "a"] { try stage.open(referrer) }
        #expect(try stage.rows == ["\(today) opened found \(long) 1", "\(today) opened found (other) 1"])
    }

    @Test("days are in UTC", arguments: [(1_795_219_199_999, "2026-11-20"), (1_795_219_200_000, "2026-11-21")])
    func days(_ milliseconds: Double, day: String) throws {
        let stage = CountsStage()
        stage.clock.milliseconds = milliseconds
        stage.counts.record(event: "start")
        #expect(try stage.rows == ["\(day) start 1"])
    }

    @Test("an event counts for the last arrival's referrer for less than 30 days, and then without a referrer")
    func events() throws {
        let stage = CountsStage()
        stage.counts.record(event: "start")
        try stage.open("anna")
        try stage.open("ben")
        stage.wait(days: 30)
        stage.clock.milliseconds -= 1
        stage.counts.record(event: "purchase")
        stage.clock.milliseconds += 1
        stage.counts.record(event: "purchase")
        stage.counts.record(event: "")
        stage.counts.record(event: String(repeating: "e", count: 65))
        let events = try stage.rows.filter { !$0.contains("found") }
        #expect(
            events == [
                "\(today) start 1", "2026-12-21 purchase ben 1", "2026-12-21 purchase 1", "2026-12-21 other 2",
            ]
        )
    }

    @Test("after the clock was set back by years, an event counts for 30 days and not for years")
    func clockSetBack() throws {
        let stage = CountsStage()
        stage.wait(days: 3_650)
        try stage.open("anna")
        stage.wait(days: -3_650)
        stage.counts.record(event: "purchase")
        stage.wait(days: 29)
        stage.counts.record(event: "purchase")
        stage.wait(days: 1)
        stage.counts.record(event: "purchase")
        #expect(
            try stage.rows.filter { $0.contains("purchase") } == [
                "\(today) purchase anna 1", "2026-12-20 purchase anna 1", "2026-12-21 purchase 1",
            ]
        )
    }

    @Test("an event that a closure for arrivals records counts for that arrival")
    func eventAtArrival() throws {
        let stage = CountsStage()
        stage.bridge.onArrival = { _ in stage.counts.record(event: "welcome") }
        try stage.open("anna")
        #expect(try stage.rows == ["\(today) opened found anna 1", "\(today) welcome anna 1"])
    }
}
