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

    @Test(
        "a landing page's address counts with text around it",
        arguments: [
            "\(invitation) \(address)", "\(invitation)\n\(address)\n", "\(address) \(invitation)",
            "Look: \(address)!", "(\(address))", "<\(address)>", "“\(address)”", "\"\(address)\", says Anna",
            "[\(address)](\(address))", "*\(address)*", "Anna:\(address).", "請看\(address)謝謝 !",
            "https://example.org/?via=ben and \(address)", "see http:// and \(address)", "://:// \(address)",
        ]
    )
    func landingPage(_ text: String) {
        #expect(paste(text).referrer == "4F7K-9Q2M-XRKQ")
    }

    @Test("what a text adds at the end of an address isn't in the referrer, and letters beyond ASCII are")
    func ending() {
        let marks = "….)!?;'*\"”’»」。！>]\u{200B}\u{2069}\u{FEFF}\u{AD}".unicodeScalars.map { String($0) }
        for mark in marks + ["...", "),", ".)", "]).", ".\u{200B}", "\u{200B}.", "😀\u{FE0F}"] {
            for address in ["https://example.com/get?via=anna", Fixture.link("anna")] {
                #expect(paste(address + mark).referrer == "anna", "\(address)\(mark)")
                #expect(paste("\nLook: " + address + mark + " \n").referrer == "anna", "\(address)\(mark)")
            }
        }
        for name in ["jürgen", "安娜", "anna(2)", "anna="] {
            #expect(paste(" https://example.com/get?via=\(name)\n").referrer == name)
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
        #expect(paste("\(Fixture.link("old", age: 300_000)) \(Self.address)").referrer == "4F7K-9Q2M-XRKQ")
        #expect(paste("https://example.com/get?via=ben or \(Self.address)").referrer == "ben")
    }

    @Test("text without a link is no link, and text with white space in a payload is still one")
    func others() {
        for text in ["see you at eight", "https:// and more", "a://b c://d", "example.com/get?via=anna", "://"] {
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
