import AccessLog
import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing

extension PlatformTests {
    /// When a bridge looks: once for each way to the front.
    @MainActor
    struct ActivationTests {
        init() async { await Device.launch() }

        @Test("a check at didFinishLaunching waits, and reads once the app is active")
        func launch() async {
            let time = Fixture.clock()
            let bridge = Fixture.bridge(clock: time.clock)
            let reports = Reports(of: bridge)
            Device.put(Fixture.link())
            async let outcome = bridge.checkForReferralLinks()
            await until("the time limit runs") { time.sleeping == 1 }
            await Device.becomeActive()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
        }

        @Test("a check that the app takes too long to come to the front for is told so, and made all the same")
        func slowLaunch() async {
            let time = Fixture.clock()
            let bridge = Fixture.bridge(clock: time.clock)
            let reports = Reports(of: bridge)
            Device.put(Fixture.link())
            async let outcome = bridge.checkForReferralLinks()
            await until("the time limit runs") { time.sleeping == 1 }
            time.endSleeps()
            #expect(await outcome == .waitingForActivation)
            #expect(Device.log.accesses.isEmpty)
            await Device.becomeActive()
            await until("the check is made") { reports.outcomes.count == 1 }
            #expect(reports.referrers == ["spring"])
        }

        @Test("every activation looks, and reads no pasteboard that it has read before")
        func unchanged() async {
            let bridge = Fixture.bridge()
            let reports = Reports(of: bridge)
            await Device.becomeActive()
            Device.put(Fixture.link())
            #expect(await bridge.checkForReferralLinks().isFound)
            Device.log.take()
            for visit in 1...3 {
                await Device.visitAnotherApp()
                await until("it looks") { reports.outcomes.count == visit + 1 }
                #expect(reports.outcomes.last == .unchanged)
            }
            #expect(Device.reads == 0)
            #expect(Device.log.count("changeCount") == 3, "one silent look is enough")
        }

        @Test("a tap made in another app is found at the return, after one call in all")
        func comingBack() async {
            let bridge = Fixture.bridge()
            let reports = Reports(of: bridge)
            await Device.becomeActive()
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            await Device.visitAnotherApp { Device.put(Fixture.link()) }
            await until("the tap is found") { !reports.outcomes.dropFirst().isEmpty }
            #expect(reports.referrers == ["spring"])
        }

        @Test("a view with .onReferral finds a tap at launch and at each return")
        func view() async throws {
            UserDefaults.standard.removeObject(forKey: "ReferralBridge")
            defer { UserDefaults.standard.removeObject(forKey: "ReferralBridge") }
            var referrers: [String] = []
            let view = Text("x").onReferral(appID: 1_300_230_302, attributionPolicy: .everyone) {
                referrers.append($0.referrer)
            }
            // A tap of the same millisecond would not be newer.
            Device.put(try Fixture.freshLink("first", age: 1_000))
            let rendering = Rendering(view)
            rendering.appear()
            await Device.rest()
            #expect(Device.log.accesses.isEmpty, "the view appears before the app is active")
            await Device.becomeActive()
            await until("the launch's tap is found") { referrers == ["first"] }

            let second = try Fixture.freshLink("second")
            await Device.visitAnotherApp { Device.put(second) }
            await until("the second tap is found") { referrers == ["first", "second"] }
        }

        @Test("an app that asks in context turns the checks at activations off")
        func inContext() async {
            let bridge = Fixture.bridge()
            let reports = Reports(of: bridge)
            bridge.checksAtActivation = false
            await Device.becomeActive()
            await bridge.checkForReferralLinks()
            Device.log.take()
            await Device.visitAnotherApp { Device.put(Fixture.link()) }
            await Device.rest()
            #expect(Device.log.accesses.isEmpty)
            #expect(await bridge.checkForReferralLinks().isFound)
            #expect(reports.outcomes.count == 2)
        }

        @Test("a bridge that is let go looks no more")
        func letGo() async {
            await Device.becomeActive()
            weak var bridge: AppStoreBridge?
            do {
                let temporary = Fixture.bridge()
                bridge = temporary
                await temporary.checkForReferralLinks()
            }
            await until("nothing keeps it") { bridge == nil }
            Device.log.take()
            await Device.visitAnotherApp { Device.put(Fixture.link()) }
            await Device.rest()
            #expect(Device.log.accesses.isEmpty)
        }

        @Test("an activity that is released leaves no observer")
        func observers() async {
            weak var observed: Reports?
            do {
                let activity = SystemActivity()
                let reports = Reports(of: Fixture.bridge())
                activity.observe { _ in withExtendedLifetime(reports) {} }
                observed = reports
                await Device.becomeActive()
            }
            #expect(observed == nil)
        }
    }
}
