import Foundation
import ReferralBridge
import ReferralSigning
import TestSupport
import Testing

/// What a person copies from a chat: an address with words, brackets or quotation marks around it.
@MainActor
struct PastedTextTests {
    /// The library's own invitation, as a share sheet sends it.
    private nonisolated static let invitation = "Have a look at this app. With my link, both of us get something."
    private nonisolated static let address = "https://example.com/get?ref=4F7K-9Q2M-XRKQ"

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

    private func referrer(_ outcome: AppStoreBridge.Outcome) -> String? { outcome.referrer }

    @Test(
        "a landing page's address counts with text around it",
        arguments: [
            "\(invitation) \(address)", "\(invitation)\n\(address)\n", "\(address) \(invitation)",
            "Look: \(address)!", "(\(address))", "<\(address)>", "“\(address)”", "\"\(address)\", says Anna",
            "[\(address)](\(address))", "*\(address)*", "Anna:\(address).", "請看\(address)謝謝 !",
            "https://example.org/?ref=ben and \(address)", "see http:// and \(address)", "://:// \(address)",
        ]
    )
    func landingPage(_ text: String) {
        #expect(referrer(paste(text)) == "4F7K-9Q2M-XRKQ")
    }

    @Test("what a text adds at the end of an address isn't in the referrer, and letters beyond ASCII are")
    func ending() {
        let marks = "….)!?;'*\"”’»」。！>]\u{200B}\u{2069}\u{FEFF}\u{AD}".unicodeScalars.map { String($0) }
        for mark in marks + ["...", "),", ".)", "]).", ".\u{200B}", "\u{200B}.", "😀\u{FE0F}"] {
            for address in ["https://example.com/get?ref=anna", Fixture.link("anna")] {
                #expect(referrer(paste(address + mark)) == "anna", "\(address)\(mark)")
                #expect(referrer(paste("\nLook: " + address + mark + " \n")) == "anna", "\(address)\(mark)")
            }
        }
        for name in ["jürgen", "安娜", "anna(2)", "anna="] {
            #expect(referrer(paste(" https://example.com/get?ref=\(name)\n")) == name)
        }
    }

    @Test("items are those of the address, without the words after it")
    func items() {
        let outcome = paste("\(Self.address)&open=/boards/42 is my board")
        #expect(outcome.arrival?.destination == "/boards/42")
        #expect(outcome.arrival?.parameters == ["open": "/boards/42"])
        #expect(outcome.arrival?.road == .pasteButton)
    }

    @Test("the first address that counts is found, and one that doesn't count doesn't hide it")
    func first() {
        #expect(referrer(paste("\(Fixture.link("old", age: 300_000)) \(Self.address)")) == "4F7K-9Q2M-XRKQ")
        let other = "https://example.com/get?ref=ben"
        #expect(referrer(paste("\(other) or \(Self.address)")) == "ben")
    }

    @Test("text without a link is no link, and text with white space in a payload is still one")
    func others() {
        for text in ["see you at eight", "https:// and more", "a://b c://d", "example.com/get?ref=anna", "://"] {
            #expect(referrer(paste(text)) == nil, "\(text)")
        }
        // A form turns a plus into a space.
        let payload = Data(#"{"timestamp":1795224749690,"referrer":"~~~???>>> ûûû"}"#.utf8).base64EncodedString()
        #expect(payload.contains("+"))
        #expect(referrer(paste(Fixture.link(ed: payload.replacing("+", with: " ")))) == "~~~???>>> ûûû")
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
        #expect(referrer(paste(noise + Self.address)) == "4F7K-9Q2M-XRKQ")
        #expect(referrer(paste(String(repeating: "a", count: 131_000))) == nil)
    }
}
