#if canImport(AppKit)
import AccessLog
import AppKit
import Foundation
import ReferralBridge
import TestSupport
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
            bridge.onArrival = { _ in }
        }

        private var names: [String] { Device.log.take().map(\.name).filter { $0 != "general" } }

        @Test("with nothing on the clipboard four silent looks are all")
        func nothing() async {
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            #expect(names == ["changeCount", "accessBehavior", "availableType", "detectedPatterns"])
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
                bridge.onArrival = { _ in }
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

        @Test("an app that may never paste from other apps reads nothing, and looks again at the next activation")
        func alwaysDeny() async {
            Device.put(Fixture.link())
            stage.set(.alwaysDeny)
            let reports = Reports(of: bridge)
            func isDenied(_ outcome: AppStoreBridge.Outcome) -> Bool {
                guard case .readFailed(let failure) = outcome else { return false }
                return failure.underlyingError as? PasteboardError == .accessDenied
            }
            #expect(isDenied(await bridge.checkForReferralLinks()))
            #expect(names == ["changeCount", "accessBehavior"])
            await Device.visitAnotherApp()
            await until("it looks again") { reports.outcomes.count == 2 }
            #expect(reports.outcomes.allSatisfy(isDenied))
            #expect(Device.reads == 0)
            await Device.visitAnotherApp { stage.set(.ask) }
            await until("it reads") { reports.outcomes.count == 3 }
            #expect(reports.referrers == ["spring"])
        }

        @Test("with every other setting the bridge reads", arguments: [NSPasteboard.AccessBehavior.ask, .alwaysAllow])
        func otherSettings(_ behavior: NSPasteboard.AccessBehavior) async {
            Device.put(Fixture.link())
            stage.set(behavior)
            #expect(await bridge.checkForReferralLinks().isFound)
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
