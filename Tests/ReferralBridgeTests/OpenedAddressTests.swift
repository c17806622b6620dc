import Foundation
import ReferralBridge
import Testing

/// Links that the system opens an app with, and strings that a person pastes.
@MainActor
struct OpenedAddressTests {
    @Test("with nobody to tell, the outcome says so, and the address and the paste are not used up")
    func nobody() throws {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: InMemoryPasteboard([]),
            ledger: InMemoryLedger(),
            clock: Fixture.clock
        )
        let link = Fixture.link()
        let url = try #require(URL(string: link.replacing("https://apps.apple.com", with: "trestle://open")))
        #expect(bridge.handle(url) == .unreported(try #require(bridge.handle(url).arrival)))
        let pasted = Arrival(try #require(bridge.handle(url).arrival).referral, road: .pasteButton)
        #expect(bridge.handlePaste([link]) == .unreported(pasted))
        bridge.onArrival = { _ in }
        #expect(bridge.handle(url) == .found(Arrival(pasted.referral, road: .opened)))
    }
}
