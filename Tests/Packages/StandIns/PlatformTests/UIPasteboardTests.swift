#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import Testing
import UIKit

extension PlatformTests {
    /// Which accesses a check makes on an iPhone, and what it finds.
    @MainActor
    struct UIPasteboardTests {
        private let stage = UIPasteboard.forTests
        private let bridge: AppStoreBridge

        init() async {
            await Device.launchInFront()
            bridge = Fixture.bridge()
            bridge.onArrival = { _ in }
        }

        private var names: [String] { Device.log.take().map(\.name).filter { $0 != "general" } }

        @Test("with nothing on the clipboard three silent looks are all")
        func nothing() async {
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            #expect(names == ["changeCount", "hasURLs", "detectPatterns"])
        }

        @Test("text that isn't an address is never read")
        func text() async {
            stage.put(UIPasteboard.Content(strings: ["a password"]))
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            #expect(UIPasteboard.silentAccesses.isSuperset(of: names))
        }

        @Test("an address that was copied as an address, as text, or as both is found once", arguments: 0..<3)
        func found(_ way: Int) async throws {
            let url = try #require(URL(string: Fixture.link()))
            stage.put(
                [
                    UIPasteboard.Content(urls: [url]),
                    UIPasteboard.Content(strings: [Fixture.link()], detection: .success(true)),
                    UIPasteboard.Content(strings: [Fixture.link()], urls: [url]),
                ][way]
            )
            #expect(await bridge.checkForReferralLinks().arrival?.referrer == "spring")
            #expect(try await SystemPasteboard().contents().strings == [Fixture.link()])
        }

        @Test(
            "an address is found by one access, and so by one question, however it was written",
            arguments: ["public.url", "public.utf8-plain-text", "public.plain-text", "public.text"],
            0..<3
        )
        func writtenAs(_ type: String, _ way: Int) async throws {
            let values: [Any] = [Fixture.link(), Data(Fixture.link().utf8), try #require(URL(string: Fixture.link()))]
            stage.ask(.allows)
            stage.put(UIPasteboard.Content(items: [[type: values[way]]], detection: .success(true)))
            #expect(await bridge.checkForReferralLinks().arrival?.referrer == "spring")
            #expect(Device.reads == 1)
            #expect(stage.questions == 1)
        }

        @Test("a value that is neither an address nor text is skipped, and so is text of other types")
        func otherValues() async throws {
            let items: [[String: Any]] = [
                ["public.url": 7, "public.utf8-plain-text": Data([0xFF])], ["public.html": Fixture.link()],
                ["public.text": "lunch?"],
            ]
            stage.put(UIPasteboard.Content(items: items))
            #expect(try await SystemPasteboard().contents().strings == ["lunch?"])
        }

        @Test("a clipboard full of junk is an outcome")
        func junk() async {
            let junk = Array(repeating: "junk", count: 1_000)
            stage.put(UIPasteboard.Content(strings: junk, urls: URL(string: "https://example.com").map { [$0] }))
            guard case .noReferral(let result) = await bridge.checkForReferralLinks() else {
                Issue.record("another outcome")
                return
            }
            #expect(result.judgments.count == 2, "the same string is judged once")
        }

        @Test("what keeps the system from looking for patterns is an outcome, and nothing is read")
        func failing() async {
            let failure = CocoaError(.fileReadUnknown)
            stage.put(UIPasteboard.Content(strings: [Fixture.link()], detection: .failure(failure)))
            guard case .readFailed = await bridge.checkForReferralLinks() else {
                Issue.record("another outcome")
                return
            }
            #expect(Device.reads == 0)
        }
    }
}
#endif
