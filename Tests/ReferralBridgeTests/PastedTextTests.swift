import Foundation
import ReferralBridge
import Testing

/// What a person copies from a chat: an address with words, brackets or quotation marks around it.
@MainActor
struct PastedTextTests {
    /// The library's own invitation, as a share sheet sends it.
    private nonisolated static let invitation = "Have a look at this app. With my link, both of us get something."
    private nonisolated static let address = "https://example.com/get?via=4F7K-9Q2M-XRKQ"

    private static var scanner: ReferralScanner {
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [LandingPage("https://example.com/get", parameterItems: ["open"])]
        return scanner
    }

    private func paste(_ texts: String...) -> AppStoreBridge.Outcome {
        let bridge = AppStoreBridge(
            scanner: Self.scanner,
            pasteboard: InMemoryPasteboard([]),
            ledger: InMemoryLedger(),
            clock: Fixture.clock
        )
        bridge.onArrival = { _ in }
        return bridge.handlePaste(texts)
    }

    @Test("items are those of the address, without the words after it, and one that doesn't count doesn't hide it")
    func items() {
        let outcome = paste("\(Fixture.link("old", age: 300_000)) \(Self.address)&open=/boards/42 is my board")
        #expect(outcome.arrival?.destination == "/boards/42")
        #expect(outcome.arrival?.parameters == ["open": "/boards/42"])
        #expect(outcome.arrival?.road == .pasteButton)
    }

    @Test("text without a link is no link, and text with white space in a payload is still one")
    func others() {
        for text in ["see you at eight", "https:// and more", "a://b c://d", "example.com/get", "://"] {
            #expect(paste(text).referrer == nil, "\(text)")
        }
        for (id, verdict) in [("1300230302", Verdict.noPayload), ("42", .wrongApp)] {
            #expect(Self.scanner.judge("It's https://apps.apple.com/app/id\(id)", on: .pasteButton).verdict == verdict)
        }
        // A form turns a plus into a space.
        let payload = Data(#"{"timestamp":1795224749690,"referrer":"~~~???>>> ûûû"}"#.utf8).base64EncodedString()
        #expect(payload.contains("+"))
        #expect(paste(Fixture.link(ed: payload.replacing("+", with: " "))).referrer == "~~~???>>> ûûû")
    }

    @Test("nothing is searched in what is read unasked")
    func pasteboard() {
        let texts = ["\(Self.invitation) \(Self.address)", "Look: \(Fixture.link())"]
        #expect(Self.scanner.scan(texts, now: Fixture.now).verdicts == [.notALink, .notALink])
        for text in texts { #expect(Self.scanner.judge(text, now: Fixture.now).arrival == nil) }
    }

    @Test("a long text with thousands of addresses is searched once")
    func many() {
        let noise = String(repeating: "a://b ", count: 20_000)
        #expect(paste(noise + Self.address).referrer == "4F7K-9Q2M-XRKQ")
        #expect(paste(String(repeating: "a", count: 131_000)).referrer == nil)
    }
}
