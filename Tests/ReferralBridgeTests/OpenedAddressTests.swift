import Foundation
import ReferralBridge
import Testing

/// Links that the system opens an app with, and strings that a person pastes.
@MainActor
struct OpenedAddressTests {
    private func bridge() -> AppStoreBridge {
        AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: ListPasteboard([]),
            ledger: MemoryLedger(),
            now: { Fixture.now }
        )
    }

    private func open(_ bridge: AppStoreBridge, _ address: String) -> Bool {
        guard let url = URL(string: address) else {
            Issue.record("no address: \(address)")
            return false
        }
        return bridge.open(url)
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
        bridge.onReferral = { referrers.append($0.referrer) }
        let address = pattern.replacing("%", with: ed())
        #expect(open(bridge, address))
        #expect(!open(bridge, address), "once")
        #expect(referrers == ["spring"])
    }

    @Test(
        "an address without a referral that counts is the app's own to look at",
        arguments: [
            "trestle://open", "trestle://open?ed=", "trestle://open?ed=!", "trestle://open#?ed=%", "?",
            "trestle://open?ED=%",
        ]
    )
    func notOurs(_ pattern: String) {
        let bridge = bridge()
        bridge.onReferral = { _ in Issue.record("reported") }
        #expect(!open(bridge, pattern.replacing("%", with: ed())))
        #expect(!open(bridge, "trestle://open?ed=" + ed(age: 300_000)), "expired")
        #expect(!open(bridge, "trestle://open?ed=" + ed(age: -30_001)), "from the future")
        #expect(!open(bridge, "trestle://open?ed=\(ed())&" + String(repeating: "p", count: 65_536)), "too long")
    }

    @Test("with nobody to tell an address is not used up")
    func nobody() {
        let bridge = bridge()
        #expect(!open(bridge, "trestle://open?ed=" + ed()))
        bridge.onReferral = { _ in }
        #expect(open(bridge, "trestle://open?ed=" + ed()))
    }

    @Test("what a person pastes goes through the same rules, and is reported once")
    func pasted() {
        var referrers: [String] = []
        let bridge = bridge()
        bridge.onReferral = { referrers.append($0.referrer) }
        guard case .found = bridge.paste(["x", Fixture.link()]) else {
            Issue.record("not found")
            return
        }
        guard case .nothingForUs(let result) = bridge.paste(["x", Fixture.link()]) else {
            Issue.record("found again")
            return
        }
        #expect(result.verdicts == [.notALink, .alreadyReported])
        #expect(bridge.paste([]) == .notAllowedOrEmpty)
        #expect(referrers == ["spring"])
    }
}
