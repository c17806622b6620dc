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
