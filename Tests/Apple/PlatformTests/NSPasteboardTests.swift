#if canImport(AppKit)
import AppKit
import ReferralBridge
import Testing

extension PlatformTests {
    @MainActor
    struct NSPasteboardTests {
        private let general = NSPasteboard.general

        init() {
            general.put([])
            _ = general.takeLog()
        }

        @Test("with nothing on the clipboard nothing that prompts is touched, and three silent looks are all")
        func nothing() async {
            #expect(await Fixture.bridge().checkForReferralLinks() == .nothingToRead)
            let log = general.takeLog()
            #expect(log == ["changeCount", "availableType", "detectedPatterns"])
            #expect(NSPasteboard.silentAccesses.isSuperset(of: log))
        }

        @Test("text that is no address is never read")
        func text() async {
            general.put([[.string: "a password"]])
            #expect(await Fixture.bridge().checkForReferralLinks() == .nothingToRead)
            #expect(NSPasteboard.silentAccesses.isSuperset(of: general.takeLog()))
        }

        @Test("an address that was copied as an address, as text, or as both is found once")
        func found() async {
            for item in [
                [NSPasteboard.PasteboardType.URL: Fixture.link()], [.string: Fixture.link()],
                [.string: Fixture.link(), .URL: Fixture.link()],
            ] {
                general.put([item])
                guard case .found = await Fixture.bridge().checkForReferralLinks() else {
                    Issue.record("\(item)")
                    continue
                }
                #expect(await SystemPasteboard().strings() == [Fixture.link()])
            }
        }

        @Test("clearing empties the pasteboard, if it is still the same one")
        func clearing() async {
            general.put([[.URL: Fixture.link()]])
            let bridge = Fixture.bridge()
            bridge.clearsPasteboard = true
            await bridge.checkForReferralLinks()
            #expect(general.takeLog().contains("clearContents"))
            await SystemPasteboard().clear(ifChangeCountIs: -1)
            #expect(!general.takeLog().contains("clearContents"))
        }
    }
}
#endif
