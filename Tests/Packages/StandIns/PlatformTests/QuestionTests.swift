#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import TestSupport
import Testing
import UIKit

extension PlatformTests {
    /// What the system asks the person because of a bridge. While it asks, the app isn't active; the answer gives the
    /// activity back.
    @MainActor
    struct QuestionTests {
        private let time = Fixture.clock()
        private let latch = Latch()
        private let stage = UIPasteboard.forTests
        private let bridge: AppStoreBridge
        private let reports: Reports

        init() async {
            await Device.launchInFront()
            bridge = Fixture.bridge(clock: time.clock)
            reports = Reports(of: bridge)
        }

        @Test("nobody is asked unless the silent look said that there may be a link")
        func probe() async {
            stage.ask(.allows)
            for content in [
                UIPasteboard.Content(), UIPasteboard.Content(strings: ["a password"]),
                UIPasteboard.Content(strings: ["12345"], detection: .success(false)),
                UIPasteboard.Content(strings: [Fixture.link()], detection: .failure(CocoaError(.fileReadUnknown))),
            ] {
                stage.put(content)
                await bridge.checkForReferralLinks()
            }
            #expect(stage.questions == 0)
            #expect(Device.reads == 0)
            #expect(UIPasteboard.silentAccesses.isSuperset(of: Device.log.accesses.map(\.name)))
            #expect(reports.outcomes.dropLast() == [.noLinkDetected, .noLinkDetected, .noLinkDetected])
            if case .readFailed = reports.outcomes.last {} else { Issue.record("\(reports.outcomes)") }
        }

        @Test("who allows it is asked once, and by the answer's activation not again")
        func allowed() async {
            stage.ask(.allows)
            Device.put(Fixture.link())
            #expect(await bridge.checkForReferralLinks().isFound)
            await until("the app is active again") { UIApplication.forTests.applicationState == .active }
            for _ in 0..<3 { await bridge.checkForReferralLinks() }
            #expect(stage.questions == 1)
            #expect(reports.referrers == ["spring"])
        }

        @Test("who thinks about it for long is asked once, and the tap counts whenever they allow it")
        func thinking() async {
            stage.ask(.allows, thinking: latch)
            Device.put(Fixture.link())
            async let outcome = bridge.checkForReferralLinks()
            await until("the system asks") {
                UIApplication.forTests.applicationState == .inactive && time.sleeping == 1
            }
            time.endSleeps()
            #expect(await outcome == .stillReading)
            latch.open()
            await until("the tap is found") { reports.referrers == ["spring"] }
            await until("the app is active again") { UIApplication.forTests.applicationState == .active }
            #expect(await bridge.checkForReferralLinks() == .unchanged)
            #expect(stage.questions == 1)
        }

        @Test(
            "who declines is asked by one access, once more at the next activation, and then no more",
            arguments: [
                UIPasteboard.Content(items: [], hasURLs: true),
                UIPasteboard.Content(strings: [Fixture.link()], detection: .success(true)),
            ]
        )
        func declined(_ content: UIPasteboard.Content) async {
            stage.ask(.declines)
            stage.put(content)
            #expect(await bridge.checkForReferralLinks() == .emptyOrDenied)
            await until("the app is active again") { UIApplication.forTests.applicationState == .active }
            for _ in 0..<3 { await bridge.checkForReferralLinks() }
            #expect(stage.questions == 1, "the activation that the question gives back isn't one")
            #expect(Device.reads == 1)
            #expect(Device.log.count("items") == 1)

            for visit in 1...3 {
                let told = reports.outcomes.count
                await Device.visitAnotherApp()
                await until("it looks again") { reports.outcomes.count > told }
                await until("the app is active again") { UIApplication.forTests.applicationState == .active }
                await bridge.checkForReferralLinks()
                #expect(stage.questions == 2, "visit \(visit)")
            }
            #expect(reports.outcomes.count { $0 == .emptyOrDenied } == 2)
            #expect(Device.reads == 2)
        }

        @Test("whoever has declined twice isn't asked by the next launch either, until something else is copied")
        func nextLaunch() async throws {
            let ledger = UserDefaultsLedger(try Fixture.defaults())
            stage.ask(.declines)
            Device.put(Fixture.link())
            for _ in 0..<4 {
                let launched = Fixture.bridge(ledger)
                launched.onArrival = { _ in }
                await launched.checkForReferralLinks()
                await until("the app is active again") { UIApplication.forTests.applicationState == .active }
            }
            #expect(stage.questions == 2)
            stage.ask(.allows)
            Device.put(Fixture.link("summer"))
            let launched = Fixture.bridge(ledger)
            launched.onArrival = { _ in }
            #expect(await launched.checkForReferralLinks().isFound)
        }

        @Test("whoever leaves while they are asked is asked again at their return")
        func leaving() async {
            stage.ask(.allows, thinking: latch)
            Device.put(Fixture.link())
            async let outcome = bridge.checkForReferralLinks()
            await until("the system asks") { UIApplication.forTests.applicationState == .inactive }
            await Device.leaveFront()
            latch.open()
            await Device.rest()
            await Device.becomeActive()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
            #expect(!reports.outcomes.contains(.emptyOrDenied))
        }

        @Test("an allowed read that gives nothing is made once more at the next activation")
        func emptyAlthoughAllowed() async {
            stage.put(UIPasteboard.Content(items: [], hasURLs: true))
            #expect(await bridge.checkForReferralLinks() == .emptyOrDenied)
            await Device.visitAnotherApp()
            await until("it reads again") { reports.outcomes.count { $0 == .emptyOrDenied } == 2 }
            for _ in 0..<2 {
                let told = reports.outcomes.count
                await Device.visitAnotherApp()
                await until("it looks again") { reports.outcomes.count > told }
            }
            #expect(Device.reads == 2)
        }
    }
}
#endif
