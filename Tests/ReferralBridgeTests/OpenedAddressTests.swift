import Foundation
import ReferralBridge
import Testing

/// Links that the system opens an app with, and strings that a person pastes.
@MainActor
struct OpenedAddressTests {
    private func bridge() -> AppStoreBridge {
        AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: InMemoryPasteboard([]),
            ledger: InMemoryLedger(),
            clock: Fixture.clock
        )
    }

    private func open(_ bridge: AppStoreBridge, _ address: String) -> Bool {
        guard let url = URL(string: address) else {
            Issue.record("no address: \(address)")
            return false
        }
        if case .found = bridge.handle(url) { return true }
        return false
    }

    private func ed(age: Double = 1_000) -> String {
        Data(#"{"timestamp":\#(Int64(Fixture.now.milliseconds - age)),"referrer":"spring"}"#.utf8).base64EncodedString()
    }

    @Test(
        "an address of any scheme and host is judged from its ed on",
        arguments: [
            "https://trestle.example/get?ref=a&ed=%", "trestle://open?ed=%", "trestle:?ed=%#x",
            "trestle:///id9?a&ed=%&b",
            "HTTPS://me@example.com/?ed=old&ed=%",
        ]
    )
    func opened(_ pattern: String) {
        var referrers: [String] = []
        let bridge = bridge()
        bridge.onArrival = { referrers.append($0.referrer) }
        let address = pattern.replacing("%", with: ed())
        #expect(open(bridge, address))
        #expect(!open(bridge, address), "once")
        #expect(referrers == ["spring"])
    }

    @Test(
        "an address without a referral that counts is left to the app",
        arguments: [
            "trestle://open", "trestle://open?ed=", "trestle://open?ed=!", "trestle://open#?ed=%", "?",
            "trestle://open?ED=%",
        ]
    )
    func notOurs(_ pattern: String) {
        let bridge = bridge()
        bridge.onArrival = { _ in Issue.record("reported") }
        #expect(!open(bridge, pattern.replacing("%", with: ed())))
        #expect(!open(bridge, "trestle://open?ed=" + ed(age: 300_000)), "expired")
        #expect(!open(bridge, "trestle://open?ed=" + ed(age: -30_001)), "from the future")
    }

    @Test("an address has at most 65,536 bytes")
    func length() {
        let bridge = bridge()
        bridge.onArrival = { _ in }
        let head = "trestle://open?ed=\(ed())&"
        let longest = head + String(repeating: "p", count: 65_536 - head.utf8.count)
        #expect(!open(bridge, longest + "p"))
        #expect(open(bridge, longest))
    }

    @Test("with nobody to tell, the outcome says so, and the address and the paste are not used up")
    func nobody() throws {
        let bridge = bridge()
        let url = try #require(URL(string: "trestle://open?ed=" + ed()))
        #expect(bridge.handle(url) == .unreported(try #require(bridge.handle(url).arrival)))
        let pasted = Arrival(try #require(bridge.handle(url).arrival).referral, road: .pasteButton)
        #expect(bridge.handlePaste([Fixture.link()]) == .unreported(pasted))
        bridge.onArrival = { _ in }
        #expect(open(bridge, url.absoluteString))
    }

    @Test("what a person pastes goes through the same rules, and is reported once")
    func pasted() {
        var referrers: [String] = []
        let bridge = bridge()
        bridge.onArrival = { referrers.append($0.referrer) }
        guard case .found = bridge.handlePaste(["x", Fixture.link()]) else {
            Issue.record("not found")
            return
        }
        guard case .noReferral(let result) = bridge.handlePaste(["x", Fixture.link()]) else {
            Issue.record("found again")
            return
        }
        #expect(result.verdicts == [.notALink, .alreadyReported])
        #expect(bridge.handlePaste([]) == .emptyOrDenied)
        #expect(referrers == ["spring"])
    }
}
