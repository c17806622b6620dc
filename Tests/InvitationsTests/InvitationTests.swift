import Foundation
import ReferralBridge
import ReferralInvitations
import Testing

/// The address that a person shares, and what arrives when it is opened.
@MainActor
struct InvitationTests {
    private let code: InviteCode
    private let page = LandingPage("https://example.com/get", parameterItems: ["open"])

    init() throws { code = try InviteCode("4F7K9Q2MXRKQ") }

    private func arrival(_ address: URL, _ page: LandingPage) -> Arrival? {
        var scanner = ReferralScanner(appID: 42)
        scanner.landingPages = [page]
        let bridge = AppStoreBridge(scanner: scanner, pasteboard: InMemoryPasteboard([]), ledger: InMemoryLedger())
        bridge.onArrival = { _ in }
        return bridge.handle(address).arrival
    }

    @Test(
        "whoever opens it arrives with the referrer and the destination",
        arguments: ["anna", "Jörg & Söhne", "a+b=c#d?", "🎉"]
    )
    func roundTrip(_ name: String) throws {
        for page in [page, LandingPage("https://example.com/for/*", referrerIn: .path, parameterItems: ["open"])] {
            let invitation = try Invitation(landingPage: page, referrer: name, destination: "/boards/42?x=1&y=ä")
            let opened = arrival(invitation.address, page)
            #expect(opened?.referrer == name)
            #expect(opened?.destination == "/boards/42?x=1&y=ä")
        }
    }

    @Test(
        "the hyphens of a code stay, and the page may have a query, a fragment and another name for the item",
        arguments: [
            (LandingPage("https://example.com/get"), "https://example.com/get?via=4F7K-9Q2M-XRKQ"),
            (
                LandingPage("https://example.com:8443/a/?lang=de#top", referrerItem: "from"),
                "https://example.com:8443/a/?from=4F7K-9Q2M-XRKQ"
            ),
            (LandingPage("https://bücher.example/für"), "https://xn--bcher-kva.example/f%C3%BCr?via=4F7K-9Q2M-XRKQ"),
            (LandingPage("https://example.com/for/*?a=1", referrerIn: .path), "https://example.com/for/4F7K-9Q2M-XRKQ"),
        ]
    )
    func address(_ page: LandingPage, _ address: String) throws {
        let invitation = try Invitation(landingPage: page, code: code)
        #expect(invitation.address.absoluteString == address)
        #expect(arrival(invitation.address, page)?.referrer == code.text)
    }

    @Test("what would be lost is an error")
    func errors() {
        for page in [LandingPage("https://example.com/*"), LandingPage("https://example.com", referrerIn: .path)] {
            #expect(throws: InvitationError.pageIsPattern) { try Invitation(landingPage: page, code: code) }
        }
        let path = LandingPage("https://example.com/for/*", referrerIn: .path)
        #expect(throws: InvitationError.invalidReferrer) { try Invitation(landingPage: path, referrer: "..") }
        #expect(throws: InvitationError.invalidReferrer) { try Invitation(landingPage: page, referrer: "") }
        #expect(throws: InvitationError.invalidReferrer) {
            try Invitation(landingPage: page, referrer: String(repeating: "x", count: 9_000))
        }
        for path in ["boards", "//example.com", "/a/../b", "/%2e%2e"] {
            #expect(throws: InvitationError.invalidDestination) {
                try Invitation(landingPage: page, code: code, destination: path)
            }
        }
        #expect(throws: InvitationError.destinationNotHandedOn) {
            try Invitation(landingPage: LandingPage("https://example.com/get"), code: code, destination: "/x")
        }
    }
}
