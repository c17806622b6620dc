#if canImport(AppKit)
import AccessLog
import AppKit
import Foundation
import ReferralBridge
import Testing

extension PlatformTests {
    /// Which accesses a check makes on a Mac, and what it finds.
    @MainActor
    struct NSPasteboardTests {
        private let stage = NSPasteboard.forTests
        private let bridge: AppStoreBridge

        init() async {
            await Device.launchInFront()
            bridge = Fixture.bridge()
            bridge.onReferral = { _ in }
        }

        private var names: [String] { Device.log.take().map(\.name).filter { $0 != "general" } }

        @Test("with nothing on the clipboard three silent looks are all")
        func nothing() async {
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            #expect(names == ["changeCount", "availableType", "detectedPatterns"])
        }

        @Test("text that isn't an address is never read")
        func text() async {
            stage.put([[.string: "a password"]])
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            #expect(NSPasteboard.silentAccesses.isSuperset(of: names))
        }

        @Test("an address that was copied as an address, as text, or as both is found once")
        func found() async throws {
            for item in [
                [NSPasteboard.PasteboardType.URL: Fixture.link()], [.string: Fixture.link()],
                [.string: Fixture.link(), .URL: Fixture.link()],
            ] {
                stage.put([item])
                let bridge = Fixture.bridge()
                bridge.onReferral = { _ in }
                #expect(await bridge.checkForReferralLinks().isFound, "\(item)")
                #expect(try await SystemPasteboard().contents().strings == [Fixture.link()])
            }
        }

        @Test("what keeps the system from looking for patterns is an outcome, and nothing is read")
        func failing() async {
            stage.put([[.string: Fixture.link()]])
            stage.failDetection(with: CocoaError(.fileReadUnknown))
            guard case .readFailed = await bridge.checkForReferralLinks() else {
                Issue.record("another outcome")
                return
            }
            #expect(Device.reads == 0)
        }

        @Test("a read that gives nothing is made once more at the next activation, and then no more")
        func declined() async {
            stage.decline()
            Device.put(Fixture.link())
            let reports = Reports(of: bridge)
            #expect(await bridge.checkForReferralLinks() == .emptyOrDenied)
            for _ in 0..<3 { await bridge.checkForReferralLinks() }
            #expect(Device.reads == 1)
            for _ in 0..<3 {
                let told = reports.outcomes.count
                await Device.visitAnotherApp()
                await until("it looks again") { reports.outcomes.count > told }
            }
            #expect(Device.reads == 2)
        }
    }
}
#endif
