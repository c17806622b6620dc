#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import UIKit

extension PlatformTests {
    /// UIKit only: a pasteboard gives nothing to an app in the background, and that must not be taken for an answer.
    @MainActor
    struct BackgroundLaunchTests {
        init() async {
            await Device.launch()
            UIApplication.forTests.launch(inBackground: true)
        }

        @Test("a background launch reads and remembers nothing until the app is active")
        func background() async throws {
            let (time, defaults) = (Fixture.clock(), try Fixture.defaults())
            let bridge = Fixture.bridge(UserDefaultsLedger(defaults), clock: time.clock)
            bridge.attributionPolicy = .firstLaunch
            let reports = Reports(of: bridge)
            UIPasteboard.forTests.put(UIPasteboard.Content(urls: URL(string: Fixture.link()).map { [$0] }))
            async let outcome = bridge.checkForReferralLinks()
            await until("the time limit runs") { time.sleeping == 1 }
            time.endSleeps()
            #expect(await outcome == .waitingForActivation)
            #expect(Device.log.accesses.isEmpty)
            #expect(defaults.object(forKey: "ReferralBridge") == nil)
            #expect(reports.outcomes.isEmpty)

            await Device.becomeActive()
            await until("the tap is found") { reports.outcomes.count == 1 }
            #expect(reports.referrers == ["spring"])
        }

        @Test("a view of an app that was launched in the background waits too")
        func view() async {
            let bridge = Fixture.bridge()
            var referrers: [String] = []
            Device.put(Fixture.link())
            Rendering(Text("x").onReferral(bridge) { referrers.append($0.referrer) }).appear()
            await Device.rest()
            #expect(Device.log.accesses.isEmpty)
            await Device.becomeActive()
            await until("the tap is found") { referrers == ["spring"] }
        }

        @Test("an app that leaves while it is read from reads again at its return")
        func leaving() async {
            let bridge = Fixture.bridge()
            let reports = Reports(of: bridge)
            await Device.becomeActive()
            Device.put(Fixture.link())
            let latch = Latch()
            Device.log.during("items") { latch.wait() }
            async let outcome = bridge.checkForReferralLinks()
            await until("the read hangs") { Device.log.count("items") == 1 }
            await Device.leaveFront()
            latch.open()
            await until("the read ends with nothing") { !Device.log.isUnderWay }
            await Device.rest()
            #expect(reports.outcomes.isEmpty, "an empty read in the background is not an answer")
            await Device.becomeActive()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
        }

        @Test("a bridge that is made before there is an application, as in SwiftUI's App.init, waits all the same")
        func beforeTheApplication() async {
            UIApplication.forTests.isNotThereYet()
            let bridge = Fixture.bridge()
            let reports = Reports(of: bridge)
            UIApplication.forTests.launch(inBackground: true)
            Device.put(Fixture.link())
            async let outcome = bridge.checkForReferralLinks()
            await Device.rest()
            #expect(Device.log.accesses.isEmpty)
            await Device.becomeActive()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
        }
    }
}
#endif
