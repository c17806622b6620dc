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
}
